#pragma once

#include <vector>

#include "bench/bench.hpp"
#include "judge/session.hpp"

namespace lab::judge {

/// Median, least and 95th percentile of some milliseconds; all zero for none.
samples summary(std::vector<double> milliseconds);

/// Median, least and 95th percentile of b[i] / a[i]; the pairs were measured one right after the other.
samples ratios(const std::vector<double>& a, const std::vector<double>& b);

/// What a `measure` shall do.
struct measurement_plan {
  std::vector<std::uint32_t> libraries;  ///< numbers in the session
  unsigned repeats = 1;
  unsigned copies = 1;
  bool with_copies = false;
};

/// Milliseconds of every round, per library; or, if it did not go well, why.
struct measurement {
  call_result found;
  std::vector<std::vector<double>> milliseconds;
  protocol::gpu_state gpu{};
  bool head_start = false;  ///< the host's launches are not in the times
};

/// Times calls of a trial's launcher, then judges what the last call of the first library left behind.
measurement measure(session& runs, const test_case& t, const measurement_plan& c);

/// Median GB/s (read plus written) of copies of so many bytes from device memory to device memory; 0 if it fails.
double measure_ceiling(session& runs, std::uint64_t bytes, unsigned repeats);

/// Median milliseconds of a CPU program on a trial's inputs: after one warm-up three runs, fewer if they are slow.
double time_on_cpu(const host_function& f, const arguments& given);

}  // namespace lab::judge
