#include "trace/ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "build/toolchain.hpp"
#include "diagnosis/mismatch_message.hpp"
#include "protocol/launcher_call.hpp"
#include "support/program_path.hpp"
#include "support/random_seed.hpp"
#include "text/printed_output.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double profiler_slowdown = 30;  // the profiler runs each kernel several times
constexpr double ncu_writing_s = 120;

constexpr std::array metrics{
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
};

constexpr auto duration = "gpu__time_duration.sum";

// A section leaves out what a chip does not have, where a metric by name would end the profiler.
constexpr std::array sections{"SpeedOfLight",   "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis",
                              "SchedulerStats", "WarpStateStats",          "Occupancy",
                              "LaunchStats"};
constexpr std::array traffic{
    duration,
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
};

// Through a file, since a page may be longer than what is kept of a child's output.
std::string page(const fs::path& report, const std::vector<std::string>& wanted) {
  const auto file = report.parent_path() / "page.csv";
  spawn_request r;
  r.arguments = {"/bin/sh",      "-c",       "exec \"$@\" > \"$0\"", file.string(),
                 ncu().string(), "--import", report.string(),        "--csv"};
  r.arguments.insert(r.arguments.end(), wanted.begin(), wanted.end());
  r.environment = clean_environment({"HOME"});
  const auto end = run_program(r, ncu_writing_s);
  std::ifstream text{file};
  std::string all{std::istreambuf_iterator<char>{text}, {}};
  if (!end.well())
    throw runner_failure(
        fmt::format("ncu --import could not show {}:\n{}{}", fmt::join(wanted, " "), end.output, all.substr(0, 1000)));
  return all;
}

// Without the right to read the counters the profiler runs the program and leaves no report.
[[noreturn]] void no_report(const std::string& said) {
  const bool forbidden = said.find("ERR_NVGPUCTRPERM") != std::string::npos;
  throw runner_failure(
      forbidden ? "this user may not read the GPU's performance counters: run as root, or let the administrator set "
                  "NVreg_RestrictProfilingToAdminUsers=0 for the driver's module"
                : "Nsight Compute left no report\n" + printed_output(said));
}

}  // namespace

fs::path ncu() {
  if (const char* chosen = std::getenv("LAB_NCU")) return chosen;
  if (const auto found = find_program("ncu"); !found.empty()) return found;
  std::error_code none;
  for (const fs::path usual : {"/usr/local/cuda/bin/ncu", "/usr/local/bin/ncu"})
    if (fs::exists(usual, none)) return usual;
  fs::path newest;
  for (const auto& version : fs::directory_iterator("/opt/nvidia/nsight-compute", none))
    if (fs::exists(version.path() / "ncu", none)) newest = std::max(newest, version.path() / "ncu");
  return newest;
}

std::vector<std::string> ncu_command(const fs::path& report, ncu_counts what) {
  std::vector<std::string> command{ncu().string(),  "--target-processes", "all", "--force-overwrite", "--export",
                                   report.string(), "--clock-control",    "none"};
  if (what == ncu_counts::time) {
    // The caches stay as the call before leaves them. Clean ones would spare a kernel the write-back of its results.
    command.insert(command.end(), {"--cache-control", "none", "--profile-from-start", "off", "--metrics", duration});
  } else if (what == ncu_counts::lines) {
    command.insert(command.end(),
                   {"--section", "SourceCounters", "--metrics", fmt::format("{}", fmt::join(metrics, ","))});
  } else {
    for (const auto* section : sections) command.insert(command.end(), {"--section", section});
    command.insert(command.end(), {"--metrics", fmt::format("{}", fmt::join(traffic, ","))});
  }
  return command;
}

profile ncu_profile(const launcher_spec& launcher, const problem_size& size, const profile_options& options,
                    const fs::path& library) {
  profile p{launcher.name, size.name(), verdict_kind::pass, {}, {}};
  const temporary_folder folder{"ncu"};
  const auto kept = folder.path() / "report.ncu-rep";
  const auto what = options.limits ? ncu_counts::limits : ncu_counts::lines;
  runner_process runner{{.backend = backend_kind::cuda,
                         .device = options.device,
                         .libraries = {library},
                         .wrapper = ncu_command(kept, what)}};
  const auto given = drawn(launcher, size, options.seed ? *options.seed : fresh_seed(), inputs::lattice);
  const auto call = call_unjudged(runner, launcher, given, lay_out(given), 1, profiler_slowdown * options.timeout_s);
  runner.finish(ncu_writing_s);
  if (call.end.verdict != verdict_kind::pass) {
    p.verdict = call.end.verdict;
    p.message = call.end.detail + "\n" + printed_output(runner.output());
    return p;
  }
  if (!fs::exists(kept)) no_report(runner.output());
  const auto raw = page(kept, {"--page", "raw", "--print-units", "base"});
  if (what == ncu_counts::limits)
    p.report.launches = parse_ncu_launches(raw);
  else
    p.report = parse_ncu(raw, page(kept, {"--page", "source", "--print-source", "cuda,sass"}));
  return p;
}

runner_under_ncu::runner_under_ncu(const run_options& options, const fs::path& library)
    : report_{folder_.path() / "report.ncu-rep"} {
  auto wrapped = runner_options_of(options, {library});
  wrapped.wrapper = ncu_command(report_, ncu_counts::time);
  runner_.emplace(wrapped);
}

std::vector<double> runner_under_ncu::finish() {
  runner_->finish(ncu_writing_s);
  if (!fs::exists(report_)) no_report(runner_->output());
  std::vector<double> milliseconds;
  for (const auto& one : parse_ncu_launches(page(report_, {"--page", "raw", "--print-units", "base"})))
    if (const auto ns = one.metrics.find(duration); ns != one.metrics.end()) milliseconds.push_back(ns->second / 1e6);
  return milliseconds;
}

}  // namespace lab::judge
