#include "trace/profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "build/availability.hpp"
#include "cli/commands/modelled_times.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/profile_table.hpp"
#include "cli/shared_commands.hpp"
#include "judge/compare.hpp"
#include "judge/session.hpp"
#include "protocol/runner_process.hpp"
#include "support/random_seed.hpp"
#include "trace/line_comparison.hpp"

namespace lab::cli {

namespace {

void show(const judge::profile_result& result, const std::filesystem::path& source, const terminal& out, int& code,
          bool limits = false) {
  for (const auto& profile : result.profiles) {
    if (profile.verdict == verdict_kind::pass) {
      out.print(limits ? judge::limits_text(profile) : profile_text(profile, source, terminal_width(STDOUT_FILENO)));
      continue;
    }
    out.print(fmt::format("{} {}: {}\n{}", out.red("FAILED "), judge::place_of({"", source}), word(profile.verdict),
                          profile.message));
    code = failed;
  }
}

judge::profile_result counts_of(const kernel_job& job, judge::profile_options options, backend_kind where) {
  options.backend = where;
  try {
    if (const auto why_not = judge::why_not_here(*job.lab, options); !why_not.empty())
      throw machine_error(fmt::format("{}: {}", job.lab->name, why_not));
    return judge::profile_kernel(*job.lab, job.variant, options);
  } catch (const judge::runner_failure& e) {
    throw machine_error(e.what());
  }
}

bool complete(const judge::profile_result& result) {
  return std::ranges::all_of(result.profiles,
                             [](const judge::profile& profile) { return profile.verdict == verdict_kind::pass; });
}

// For a function of a header, Nsight Compute reports the line of the header and the simulator the line of the call.
void return_from_headers(const judge::profile_result& simulated, judge::profile_result& measured) {
  for (std::size_t i = 0; i < std::min(simulated.profiles.size(), measured.profiles.size()); ++i) {
    const auto& ours = simulated.profiles[i].report.launches;
    auto& theirs = measured.profiles[i].report.launches;
    for (std::size_t k = 0; k < std::min(ours.size(), theirs.size()); ++k)
      judge::return_from_headers(ours[k].lines, theirs[k].lines);
  }
}

// Both back ends side by side. A profile that failed is shown as without --compare.
void compare(const kernel_job& job, const judge::profile_options& options, const common_flags& flags,
             const terminal& out, int& code) {
  const auto simulated = counts_of(job, options, backend_kind::sim);
  auto measured = counts_of(job, options, backend_kind::cuda);
  return_from_headers(simulated, measured);
  if (flags.json)
    fmt::print(
        "{}\n",
        nlohmann::json{{"schema", 1}, {"sim", judge::to_json(simulated)}, {"cuda", judge::to_json(measured)}}.dump(1));
  if (!complete(simulated)) return show(simulated, job.variant.source, out, code);
  if (!complete(measured)) return show(measured, job.variant.source, out, code);
  for (std::size_t i = 0; i < simulated.profiles.size(); ++i)
    out.print(comparison_text(simulated.profiles[i], measured.profiles[i]));
}

// Profiles a program that has its own main().
void profile_file(const common_flags& flags, int& code) {
  const std::filesystem::path source = std::filesystem::absolute(flags.which);
  if (!exists(source)) throw usage_error(fmt::format("{} does not exist", source.string()));
  if (flags.backend == "cuda")
    throw usage_error("profile runs whole programs on the simulator only; use ncu for a GPU");
  if (!flags.gpu.empty()) throw usage_error("--gpu models the time of a lab's kernel, not of a whole program");
  if (const auto can = judge::probe(backend_kind::sim); !can.usable) throw machine_error(can.reason);
  const terminal out{flags.json, flags.no_color};
  const auto result = judge::profile_program(source, flags.timeout, flags.schedules);
  show(result, source, out, code);
  if (flags.json) fmt::print("{}\n", judge::to_json(result).dump(1));
}

// What would gain most is a question about this kernel alone.
judge::bench_options modelling_options(const common_flags& flags) {
  judge::bench_options options;
  fill(options, flags);
  options.alone = true;
  options.timeout_s = std::max(options.timeout_s, 60.0);
  return options;
}

void count_and_show(const common_flags& flags, bool both, int& code) {
  if (flags.which.ends_with(".cu") && !is_path_of_a_lab(flags.which)) return profile_file(flags, code);
  if (flags.which == "all") throw usage_error("profile works on one lab; name one lab instead of all");
  if (flags.schedules > 1)
    throw usage_error("profile accepts --schedules for a FILE.cu only; for a lab use ./lab check NN --schedules");
  const auto job = chosen_jobs(flags).front();
  judge::profile_options options;
  fill(options, flags);
  options.limits = flags.limits;
  const terminal out{flags.json, flags.no_color};
  options.progress = [&](const std::string& what) { out.progress(fmt::format("{}: {}", job.lab->name, what)); };
  if (!options.seed) options.seed = fresh_seed();
  if (both) return compare(job, options, flags, out, code);
  if (flags.json && !flags.gpu.empty())
    throw usage_error("the document of profile has no modelled times; ./lab bench --json has them");
  const auto* const gpu = flags.json ? nullptr : gpu_to_model(flags, options.backend);
  std::optional<modelled_times> times;
  if (gpu) times.emplace(job, modelling_options(flags), *gpu, out).begin();
  const auto result = counts_of(job, options, options.backend);
  show(result, job.variant.source, out, code, flags.limits);
  if (times && complete(result)) times->show();
  if (flags.json) fmt::print("{}\n", judge::to_json(result).dump(1));
}

}  // namespace

void profile(const common_flags& flags, int& code) { count_and_show(flags, false, code); }

static void add_profile(command_line app, int& code) {
  auto command = app.add_subcommand("profile", "Count the memory traffic of each line of a kernel");
  auto flags = std::make_shared<common_flags>();
  add_flags(command, *flags);
  add_gpu_flag(command, *flags);
  command.get_option("lab").type_name("NN|FILE.cu").description(lab_argument + ", or a CUDA program");
  auto both = std::make_shared<bool>(false);
  const auto compare =
      command.add_flag("--compare", *both, "compare the simulator's counts with those of Nsight Compute on a GPU");
  command.add_flag("--limits", flags->limits, "show which units of the GPU were busy and why its warps stalled")
      .excludes(compare);
  command.add_option("--schedules", flags->schedules, "number of block and warp orders in which FILE.cu runs")
      .type_name("N")
      .between(1, 1000)
      .capture_default_str();
  command.footer("Example: ./lab profile 03 --solution --size 64x96\n         ./lab profile saxpy.cu");
  command.callback([flags, both, &code] {
    if (*both || flags->limits) flags->backend = "cuda";
    count_and_show(*flags, *both, code);
  });
}

namespace {

const command_registration registered_profile{audience::learn, add_profile};

}  // namespace

}  // namespace lab::cli
