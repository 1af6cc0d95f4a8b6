#pragma once

#include <map>

#include "bench/timing.hpp"
#include "trace/ncu.hpp"

namespace lab::judge {

/// Times launchers of one library by Nsight Compute. One runner under the profiler makes all calls, because its start
/// takes seconds; the times come at its end.
class ncu_clock {
 public:
  ncu_clock(const bench_options& options, std::filesystem::path library)
      : options_{options}, library_{std::move(library)} {}

  /// Why it cannot time calls of this case, by a recording of one; empty if it can: a call is one kernel and no more.
  std::string why_not(const launcher_spec& launcher, const test_case& test) const;

  /// Calls the launcher plan.repeats times. Returns why that failed; empty if these calls are in times().
  std::string call(const test_case& test, measurement_plan plan, std::size_t row);

  /// Makes no more calls, for this reason.
  void give_up(const std::string& why);

  /// Ends the profiler. The milliseconds of each call, by the row that they were made for.
  /// @throws runner_failure where the machine does not let it
  std::map<std::size_t, std::vector<double>> times();

 private:
  struct called {
    std::size_t row, calls;
  };

  const bench_options& options_;
  std::filesystem::path library_;
  std::optional<runner_under_ncu> profiled_;
  std::vector<called> called_;
  std::string given_up_;  // why
};

}  // namespace lab::judge
