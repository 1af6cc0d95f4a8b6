#pragma once

#include <future>

#include "build/build.hpp"
#include "judge/check.hpp"

namespace lab::judge {

/// The part of a check after the values, on either back end: the simulator traces every access, reports hazards and
/// holds the lab's gates.
class trace_phase {
 public:
  /// Starts the traced build in the background, if this check is traced.
  trace_phase(const entry& lab, const kernel_variant& which, const check_options& options);

  /// Whether there is anything to trace, once the values are known.
  bool wanted(const check_result& result) const;

  /// Traces one failed case, or, where all values are right, one small case and the gates' sizes. Fills hazards and
  /// gates; right values with a hazard or beyond a gate get a case that fails.
  void complete(check_result& result, std::uint64_t seed);

 private:
  /// One launcher at one size.
  struct target {
    const launcher_spec* launcher = nullptr;
    problem_size size{};
  };
  std::vector<target> targets_for(const check_result& result) const;
  void run(check_result& result, const target& at, std::uint64_t seed, const build_result& built) const;
  void add_hazards(check_result& result, const target& at, const trace_report& report) const;
  void add_gates(check_result& result, const target& at, const trace_report& report) const;
  void fail_untraceable(check_result& result, const target& at, verdict_kind verdict, const std::string& why) const;
  case_result failed_case(case_phase phase, const target& at, verdict_kind verdict, diagnosis_kind diagnosis,
                          const std::string& what) const;

  static target telling_failure(const lab_definition& definition, const check_result& result);

  const entry& lab_;
  const kernel_variant& which_;
  const check_options& options_;
  std::future<build_result> build_;
};

}  // namespace lab::judge
