#include "cli/flags.hpp"

#include <fmt/format.h>

#include "build/availability.hpp"
#include "build/kernel_variant.hpp"
#include "build/patched_kernel.hpp"
#include "build/run_options.hpp"

namespace lab::cli {

namespace {

judge::kernel_variant file_variant(const entry& lab, const std::filesystem::path& file) {
  return {"file", file.extension() == ".patch" && exists(file) ? judge::patched_kernel(lab, file) : file};
}

judge::kernel_variant chosen_variant(const entry& lab, const flags& f) {
  if (f.solution) return judge::solution_of(lab);
  if (f.encore) return judge::encore_of(lab);
  if (!f.kernel.empty()) return file_variant(lab, std::filesystem::absolute(f.kernel));
  return judge::starter_of(lab);
}

}  // namespace

void add_flags(CLI::App& command, flags& f) {
  command.add_option("lab", f.which, "a lab (4, 04, padded) or all")->required()->type_name("NN|all");
  auto* solution = command.add_flag("--solution", f.solution, "the reference solution instead of your kernel");
  auto* encore = command.add_flag("--encore", f.encore, "the version at the limit of the hardware, where there is one");
  auto* kernel =
      command.add_option("--kernel", f.kernel, "any .cu file with the lab's launcher, or a .patch of its solution")
          ->type_name("FILE");
  solution->excludes(encore)->excludes(kernel);
  encore->excludes(kernel);
  command.add_option("--backend", f.backend, "where to run: a GPU or the CPU simulator (default: cuda where possible)")
      ->check(CLI::IsMember({"sim", "cuda"}));
  command.add_option("--size", f.sizes, "sizes instead of the lab's own, such as 2000x33")->type_name("SIZE ...");
  f.seed_option = command.add_option("--seed", f.seed, "draw the inputs from this seed (default: a fresh one)");
  command.add_option("--timeout", f.timeout, "seconds for one case")->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--device", f.device, "which GPU")->check(CLI::NonNegativeNumber)->capture_default_str();
  command.add_flag("--json", f.json, "print one JSON document and nothing else");
  command.add_flag("--no-color", f.no_color, "no colours (also with NO_COLOR in the environment)");
}

backend_kind chosen_backend(const flags& f) {
  const auto backend = f.backend.empty()     ? judge::default_backend()
                       : f.backend == "cuda" ? backend_kind::cuda
                                             : backend_kind::sim;
  if (const auto can = judge::probe(backend); !can.usable)
    throw machine_error(fmt::format("back end {} cannot be used here: {}", word(backend), can.reason));
  return backend;
}

std::vector<job> chosen_jobs(const flags& f) {
  std::vector<job> jobs;
  if (f.which == "all" && !f.kernel.empty()) throw usage_error("--kernel names one file; name its lab instead of all");
  if (f.which != "all") {
    const auto& lab = find(f.which);
    jobs.push_back({&lab, chosen_variant(lab, f)});
  } else {
    for (const auto& lab : labs())
      if (auto v = chosen_variant(lab, f); !f.encore || exists(v.source)) jobs.push_back({&lab, std::move(v)});
  }
  for (const auto& j : jobs)
    if (!exists(j.variant.source))
      throw usage_error(fmt::format("{} does not exist{}", j.variant.source.string(),
                                    f.encore ? fmt::format("; {} has no encore", j.lab->name) : ""));
  return jobs;
}

void fill(judge::run_options& o, const flags& f) {
  o.backend = chosen_backend(f);
  if (f.seed_option && f.seed_option->count() > 0) o.seed = f.seed;
  o.timeout_s = f.timeout;
  o.device = f.device;
  for (const auto& text : f.sizes) {
    const auto s = problem_size::parse(text);
    if (!s) throw usage_error(fmt::format("--size {}: a size is positive numbers joined by x, such as 2000x33", text));
    o.sizes.push_back(*s);
  }
}

void fill(judge::check_options& o, const flags& f) {
  fill(static_cast<judge::run_options&>(o), f);
  o.schedules = f.schedules;
}

}  // namespace lab::cli
