#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "build/kernel_variant.hpp"
#include "build/run_options.hpp"
#include "judge/case_result.hpp"
#include "lab/lab_definition.hpp"
#include "protocol/confinement.hpp"
#include "trace/coverage.hpp"
#include "trace/gates.hpp"
#include "trace/trace_plan.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

struct check_options : run_options {
  bool again = false;         ///< calls the last case once more with other inputs: an answer from memory is wrong then
  double budget_s = 1e9;      ///< for the whole check: cases that would begin later fail as timeouts
  unsigned schedules = 1;     ///< how many legal orders of blocks and warps a traced run tries
  bool traced = true;         ///< also look for hazards and hold the gates, on the simulator
  bool trace_all = false;     ///< trace every size, also those that execute nothing new
  bool trace_early = true;    ///< trace on another core before all values are known, as if they were right
  bool verdict_only = false;  ///< stop at the first case that fails, and look for no cause
  std::string simulated_gpu;  ///< for the output: the GPU of LAB_SIM_DEVICE, if the caller chose one
  /// Called when the values are judged, if tracing follows.
  std::function<void(const struct check_result&)> values_known;
};

/// One launcher at one size, which ran without being traced, and what it executed that no traced run has.
struct untraced_run {
  std::string launcher;
  problem_size size;
  std::vector<executed_place> places;  ///< empty if `why` says that this is unknown
  std::string why;
};

/// What the traced runs of a check have seen.
struct trace_coverage {
  std::vector<trace_target> traced;  ///< in the order of the runs
  std::size_t places = 0;            ///< how many places of the source they executed
  std::vector<untraced_run> missing;
};

/// What became of one stage of a lab. A stage after one that failed is skipped.
struct stage_result {
  int number = 1;
  std::string title;
  verdict_kind verdict = verdict_kind::skipped;
};

struct check_result {
  std::string lab, variant;
  verdict_kind verdict = verdict_kind::pass;  ///< that of the first case that did not pass
  std::vector<case_result> cases;
  std::vector<hazard> hazards{};     ///< those of the sizes traced, errors and others
  bool source_checked = false;       ///< clang was there to look for host code in kernels
  std::vector<gate_result> gates{};  ///< in the lab's order, if the values are right
  trace_coverage coverage{};
  int stage = 0;                       ///< the stage that was checked alone; 0 for a whole lab
  std::vector<stage_result> stages{};  ///< of a whole lab that has stages
  double seconds = 0, build_seconds = 0, trace_seconds = 0;
  double spent_seconds = 0;  ///< of the budget: without compiling and the time in which no core was free
};

/// Builds the kernel and runs every case of the lab in a runner process. Never throws for what a kernel does.
check_result check(const entry& lab, const kernel_variant& which, const check_options& options);

/// The names of the GPUs whose limits the simulator can have; the first is the default.
std::vector<std::string> simulated_gpus();

/// The stages of a whole lab by the cases of its launchers; none for a stage alone or a lab without stages.
std::vector<stage_result> stage_results(const entry& lab, const std::vector<case_result>& cases);

/// Checks the stages of a lab in order, up to the first that fails, and joins their results. `next` checks one stage.
check_result check_by_stages(const entry& lab, const std::function<check_result(const entry& stage)>& next);

/// One case with the caller's inputs. `given` must have the types and shapes that the lab makes at this size.
struct given_case {
  const launcher_spec& launcher;
  problem_size size;
  arguments given;
};

/// The same for that case alone. `outputs` receives all arguments as the launcher left them, or nothing if it did not
/// return.
check_result check_given(const entry& lab, const kernel_variant& which, const check_options& options,
                         const given_case& one, arguments& outputs);

nlohmann::json to_json(const check_result& result);

}  // namespace lab::judge
