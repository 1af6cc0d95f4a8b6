#include "trace/profile.hpp"

#include <fmt/format.h>

#include "build/availability.hpp"
#include "cli/output/profile_table.hpp"
#include "cli/shared_commands.hpp"
#include "judge/compare.hpp"
#include "judge/session.hpp"
#include "protocol/runner_process.hpp"
#include "support/random_seed.hpp"
#include "trace/line_comparison.hpp"

namespace lab::cli {

namespace {

void show(const judge::profile_result& r, const std::filesystem::path& source, const terminal& t, int& code,
          bool limits = false) {
  for (const auto& p : r.profiles) {
    if (p.verdict == verdict_kind::pass) {
      t.print(limits ? judge::limits_text(p) : profile_text(p, source));
      continue;
    }
    t.print(fmt::format("{} {}: {}\n{}", t.red("FAILED "), source.string(), word(p.verdict), p.message));
    code = failed;
  }
}

judge::profile_result counted(const job& j, judge::profile_options o, backend_kind where) {
  o.backend = where;
  try {
    return judge::profile_kernel(*j.lab, j.variant, o);
  } catch (const judge::runner_failure& e) {
    throw machine_error(e.what());
  }
}

bool complete(const judge::profile_result& r) {
  return std::ranges::all_of(r.profiles, [](const judge::profile& p) { return p.verdict == verdict_kind::pass; });
}

// Nsight Compute names the line of the header where the simulator names the line that called it.
void return_from_headers(const judge::profile_result& simulated, judge::profile_result& measured) {
  for (std::size_t i = 0; i < std::min(simulated.profiles.size(), measured.profiles.size()); ++i) {
    const auto& ours = simulated.profiles[i].report.launches;
    auto& theirs = measured.profiles[i].report.launches;
    for (std::size_t k = 0; k < std::min(ours.size(), theirs.size()); ++k)
      judge::return_from_headers(ours[k].lines, theirs[k].lines);
  }
}

// Both back ends side by side; whatever failed is shown as without --compare.
void compare(const job& j, const judge::profile_options& o, const flags& f, const terminal& t, int& code) {
  const auto simulated = counted(j, o, backend_kind::sim);
  auto measured = counted(j, o, backend_kind::cuda);
  return_from_headers(simulated, measured);
  if (f.json)
    fmt::print(
        "{}\n",
        nlohmann::json{{"schema", 1}, {"sim", judge::to_json(simulated)}, {"cuda", judge::to_json(measured)}}.dump(1));
  if (!complete(simulated)) return show(simulated, j.variant.source, t, code);
  if (!complete(measured)) return show(measured, j.variant.source, t, code);
  for (std::size_t i = 0; i < simulated.profiles.size(); ++i)
    t.print(comparison_text(simulated.profiles[i], measured.profiles[i]));
}

// Any program with a main() of its own.
void profile_file(const flags& f, int& code) {
  const std::filesystem::path source = std::filesystem::absolute(f.which);
  if (!exists(source)) throw usage_error(fmt::format("{} does not exist", source.string()));
  if (f.backend == "cuda") throw usage_error("profile: a whole program is profiled on the simulator; on a GPU use ncu");
  if (const auto can = judge::probe(backend_kind::sim); !can.usable) throw machine_error(can.reason);
  const terminal t{f.json, f.no_color};
  const auto r = judge::profile_program(source, f.timeout, f.schedules);
  show(r, source, t, code);
  if (f.json) fmt::print("{}\n", judge::to_json(r).dump(1));
}

void count_and_show(const flags& f, bool both, int& code) {
  if (f.which.ends_with(".cu")) return profile_file(f, code);
  if (f.which == "all") throw usage_error("profile: name one lab");
  if (f.schedules > 1)
    throw usage_error("profile: --schedules is for a program; ./lab check NN --schedules is for a lab");
  const auto j = chosen_jobs(f).front();
  judge::profile_options o;
  fill(o, f);
  o.limits = f.limits;
  const terminal t{f.json, f.no_color};
  o.progress = [&](const std::string& what) { t.progress(fmt::format("{}: {}", j.lab->name, what)); };
  if (!o.seed) o.seed = fresh_seed();
  if (both) return compare(j, o, f, t, code);
  const auto r = counted(j, o, o.backend);
  show(r, j.variant.source, t, code, f.limits);
  if (f.json) fmt::print("{}\n", judge::to_json(r).dump(1));
}

}  // namespace

void profile(const flags& f, int& code) { count_and_show(f, false, code); }

static void add_profile(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("profile", "Count a kernel's memory traffic, line by line");
  auto f = std::make_shared<flags>();
  add_flags(*command, *f);
  command->get_option("lab")->type_name("NN|FILE.cu")->description("a lab (4, 04, padded), or a CUDA program");
  auto both = std::make_shared<bool>(false);
  command->add_flag("--compare", *both, "the simulator's count beside that of Nsight Compute on a GPU");
  command->add_flag("--limits", f->limits, "on a GPU: which of its units were busy, and what the warps waited for")
      ->excludes("--compare");
  command->add_option("--schedules", f->schedules, "of FILE.cu: how many orders of blocks and warps it is run in")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->footer("Example: ./lab profile 03 --solution --size 64x96\n         ./lab profile saxpy.cu");
  command->callback([f, both, &code] {
    if (*both || f->limits) f->backend = "cuda";
    count_and_show(*f, *both, code);
  });
}

namespace {

const command_registration registered{audience::learn, add_profile};

}  // namespace

}  // namespace lab::cli
