#pragma once

#include <vector>

#include "bench/bench.hpp"
#include "judge/session.hpp"

namespace lab::judge {

/// Median, minimum and 95th percentile; all zero without samples.
samples summary(std::vector<double> milliseconds);

/// Median, minimum and 95th percentile of theirs[i] / ours[i]; each pair was measured back to back.
samples ratios(const std::vector<double>& ours, const std::vector<double>& theirs);

/// The parameters of one `measure` request.
struct measurement_plan {
  std::vector<std::uint32_t> libraries;  ///< numbers in the session
  unsigned repeats = 1;
  unsigned copies = 1;  ///< sets of arguments that the calls use in turn
  bool with_copies = false;
  protocol::command what = protocol::command::measure;  ///< or `loop` or `profiled`, of one library
  double rest_ms = 0;                                   ///< of the device before each timed call or loop
};

/// The milliseconds of every round, per library; or why there are none.
struct measurement {
  call_result found;
  std::vector<std::vector<double>> milliseconds;
  protocol::gpu_state gpu{};
  bool ended = false;                               ///< the runner did not answer as it should
  std::vector<protocol::head_start> head_starts{};  ///< per library
};

/// Times calls of a test case's launcher, then judges the outputs of the first library's last call.
/// The runner cannot be used again after a failure.
measurement measure(runner_process& runner, const test_case& test, const measurement_plan& plan, double timeout_s);

/// The same in a session, which starts a new runner after a failure.
measurement measure(session& calls, const test_case& test, const measurement_plan& plan);

/// The median GB/s (read plus written) of copies of this size from device memory to device memory; 0 if it fails.
double measure_ceiling(session& calls, std::uint64_t bytes, unsigned repeats);

/// The median milliseconds of a CPU program: one warm-up, then three runs, or the warm-up alone if it takes over 3 s.
double time_on_cpu(const host_function& program, const arguments& given);

}  // namespace lab::judge
