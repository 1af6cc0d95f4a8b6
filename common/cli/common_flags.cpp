#include "cli/common_flags.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "build/availability.hpp"
#include "build/course.hpp"
#include "build/kernel_variant.hpp"
#include "build/patched_kernel.hpp"
#include "build/run_options.hpp"
#include "cli/lab_choice.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::cli {

namespace {

constexpr double longest_case_s = 10;  // in a check

judge::kernel_variant file_variant(const entry& lab, const std::filesystem::path& file) {
  return {"file", file.extension() == ".patch" && exists(file) ? judge::patched_kernel(lab, file) : file};
}

judge::kernel_variant chosen_variant(const entry& lab, const common_flags& flags) {
  if (flags.solution || flags.encore || flags.kernel.ends_with(".patch")) judge::require_solutions();
  judge::require_course();
  if (flags.solution) return judge::solution_of(lab);
  if (flags.encore) return judge::encore_of(lab);
  if (!flags.kernel.empty()) return file_variant(lab, std::filesystem::absolute(flags.kernel));
  return judge::starter_of(lab);
}

// A teacher may confine the kernels of a class that shares a machine. Level 2 needs root and a user for each process.
judge::confinement confinement_of_environment() {
  const char* level = std::getenv("LAB_SANDBOX");
  if (!level || !*level) return {};
  const std::string_view chosen{level};
  if (chosen == "1") return sandbox::confinement_of(sandbox::level::lockdown, 0);
  if (chosen == "3") return sandbox::confinement_of(sandbox::level::namespaces, 0);
  throw usage_error(
      fmt::format("LAB_SANDBOX is \"{}\"; it may be 1 or 3, a level that ./lab doctor shows as holding", level));
}

std::string remedy_for(const kernel_job& missing) {
  if (missing.variant.word == "encore") return fmt::format("; {} has no encore", missing.lab->name);
  if (missing.variant.word != "starter") return "";
  return fmt::format("; ./lab reset {} restores the starter", missing.lab->name.substr(0, 2));
}

}  // namespace

void add_flags(command_line command, common_flags& flags) {
  command.add_option("lab", flags.which, lab_argument + ", also with a stage (01.2), or all")
      .required()
      .type_name("NN|all");
  auto solution = command.add_flag("--solution", flags.solution, "use the reference solution instead of your kernel");
  auto encore =
      command.add_flag("--encore", flags.encore, "use the lab's encore, which reaches the limit of the hardware");
  auto kernel = command
                    .add_option("--kernel", flags.kernel,
                                "use this .cu file with the lab's launcher, or this .patch of its solution")
                    .type_name("FILE");
  solution.excludes(encore).excludes(kernel);
  encore.excludes(kernel);
  command
      .add_option("--backend", flags.backend,
                  "run on a GPU (cuda) or on the CPU simulator (sim); default: cuda where possible")
      .one_of({"sim", "cuda"});
  command.add_option("--size", flags.sizes, "use these sizes instead of the lab's own, such as 2000x33")
      .type_name("SIZE ...");
  flags.seed_option = command.add_option("--seed", flags.seed, "seed of the inputs (default: a new one for each run)");
  command.add_option("--timeout", flags.timeout, "time limit of one case, in seconds").positive().capture_default_str();
  command.add_option("--device", flags.device, "number of the GPU").not_negative().capture_default_str();
  command.add_flag("--json", flags.json, "print one JSON document and nothing else");
  command.add_flag("--no-color", flags.no_color, "print no colours; the environment variable NO_COLOR does the same");
}

void limit_whole_check(command_line command, common_flags& flags) {
  flags.timeout = 30;
  command.get_option("--timeout")
      .description("time limit of the whole check after compiling, in seconds; one case gets at most 10")
      .capture_default_str();
}

backend_kind chosen_backend(const common_flags& flags) {
  const auto backend = flags.backend.empty()     ? judge::default_backend()
                       : flags.backend == "cuda" ? backend_kind::cuda
                                                 : backend_kind::sim;
  if (const auto can = judge::probe(backend); !can.usable)
    throw machine_error(fmt::format("back end {} cannot be used here: {}; ./lab doctor shows what is missing",
                                    word(backend), can.reason));
  return backend;
}

std::vector<kernel_job> chosen_jobs(const common_flags& flags) {
  std::vector<kernel_job> jobs;
  if (flags.which == "all" && !flags.kernel.empty())
    throw usage_error("--kernel names one file, which belongs to one lab; give its number instead of all");
  if (flags.which != "all") {
    const auto& lab = chosen_lab_or_stage(flags.which);
    jobs.push_back({&lab, chosen_variant(lab, flags)});
  } else {
    for (const auto& lab : labs())
      if (auto variant = chosen_variant(lab, flags); !flags.encore || exists(variant.source))
        jobs.push_back({&lab, std::move(variant)});
  }
  for (const auto& job : jobs)
    if (!exists(job.variant.source))
      throw usage_error(fmt::format("{} does not exist{}", judge::place_of(job.variant), remedy_for(job)));
  return jobs;
}

void fill(judge::run_options& options, const common_flags& flags) {
  options.backend = chosen_backend(flags);
  if (flags.seed_option.count() > 0) options.seed = flags.seed;
  options.timeout_s = flags.timeout;
  options.device = flags.device;
  options.confine = confinement_of_environment();
  for (const auto& text : flags.sizes) {
    const auto size = problem_size::parse(text);
    if (!size)
      throw usage_error(fmt::format("--size {} is no size; join positive numbers with x, such as 2000x33", text));
    options.sizes.push_back(*size);
  }
}

void fill(judge::check_options& options, const common_flags& flags) {
  fill(static_cast<judge::run_options&>(options), flags);
  options.schedules = flags.schedules;
  options.budget_s = flags.timeout;
  options.timeout_s = std::min(flags.timeout, longest_case_s);
}

}  // namespace lab::cli
