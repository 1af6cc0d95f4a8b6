#pragma once

#include <atomic>
#include <future>

#include "build/build_request.hpp"
#include "judge/check.hpp"
#include "judge/test_case.hpp"
#include "support/time_budget.hpp"
#include "trace/trace_plan.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

/// A traced call whose outputs were judged like those of any other call.
struct judged_trace : traced_call {
  call_result values{};
};

/// Sizes of a launcher that run in one process.
struct size_group {
  const launcher_spec* launcher = nullptr;
  std::vector<problem_size> sizes{};
};

/// The part of a check after the values, on either back end: the simulator traces every access, reports hazards and
/// holds the lab's gates.
class trace_phase {
 public:
  /// If this check is traced, calls begin(), unless the kernel is untrusted.
  trace_phase(const entry& lab, const kernel_variant& which, const check_options& options, time_budget& budget,
              std::uint64_t seed);
  trace_phase(const trace_phase&) = delete;
  trace_phase& operator=(const trace_phase&) = delete;
  ~trace_phase();

  /// Starts in the background the traced build, and then the traces of a kernel whose values are right. Called for an
  /// untrusted kernel when it has compiled: a source that keeps the compiler busy does so once.
  void begin();

  /// Whether there is anything to trace, once the values are known.
  bool wanted(const check_result& result) const;

  /// Traces one failed case or, where all values are right, as many sizes as the plan says. Fills hazards, gates and
  /// coverage; right values with a hazard or beyond a gate get a case that fails.
  void complete(check_result& result);

 private:
  // Seconds that a traced kernel, 0 for any, and its whole run may take; and whether that is less than other runs get,
  // because the check has no more time.
  struct run_limits {
    double kernel, whole;
    bool cut = false;
  };
  // Of the plan's sizes that are traced in any case, and of each group of the others.
  struct early_runs {
    std::vector<judged_trace> traced, explored;
  };
  run_limits limits_of_run() const;
  template <class Run>
  traced_call within_limits(bool only_coverage, unsigned schedule, const Run& run) const;
  traced_call traced_in_turn(const launcher_spec& launcher, const std::vector<problem_size>& sizes) const;
  judged_trace run(const trace_target& at, bool only_coverage) const;
  std::vector<judged_trace> run_each(const std::vector<trace_target>& targets, std::vector<judged_trace> calls) const;
  early_runs trace_early();
  early_runs known_early();
  std::vector<judged_trace> explore() const;
  bool executes_nothing_new(const size_group& group, const judged_trace& call) const;
  void trace_until_error(check_result& result, const std::vector<trace_target>& targets,
                         std::vector<judged_trace> known);
  void trace_what_is_missing(check_result& result, const std::vector<judged_trace>& explored);
  std::vector<trace_target> with_new_places(check_result& result, const std::vector<trace_target>& targets) const;
  void trace_growth(check_result& result) const;
  void add(check_result& result, const trace_target& at, const judged_trace& call);
  void add_other_values(check_result& result, const trace_target& at, const call_result& values) const;
  void add_missing_traffic(check_result& result, const trace_target& at, const traced_call& call);
  void fail_gates_of_idle(check_result& result) const;
  void add_host_code(check_result& result);
  void add_hazard(check_result& result, const trace_target& at, const hazard& found) const;
  void improve_causes(check_result& result, const trace_target& at, const traced_call& call) const;
  void add_hazards(check_result& result, const trace_target& at, const trace_report& report) const;
  void add_gates(check_result& result, const trace_target& at, const trace_report& report) const;
  void fail_untraceable(check_result& result, const trace_target& at, verdict_kind verdict,
                        const std::string& why) const;
  case_result failed_case(case_phase phase, const trace_target& at, verdict_kind verdict, diagnosis_kind diagnosis,
                          const std::string& what) const;

  const entry& lab_;
  const kernel_variant& which_;
  const check_options& options_;
  time_budget& budget_;
  std::uint64_t seed_;
  bool possible_ = false;  // this check is traced, and the lab runs on the simulator
  trace_plan plan_{};
  std::vector<size_group> groups_{};  // the sizes of the plan that are not traced in any case
  std::shared_future<build_result> build_{};
  std::future<build_result> source_check_{};
  std::filesystem::path library_{};              // the traced build
  bool right_ = true;                            // all values, as far as they are known
  bool hung_ = false;                            // a case took too long
  bool early_limits_ = false;                    // the values are not known yet
  std::atomic<bool> unwanted_ = false;           // no further run may start
  std::vector<std::string> idle_{};              // launchers whose kernels move less than their arguments need
  std::vector<const launcher_spec*> keeping_{};  // launchers that keep memory for their next call
  coverage covered_{};
  std::future<early_runs> early_{};  // last, because it uses the members above until it ends
};

}  // namespace lab::judge
