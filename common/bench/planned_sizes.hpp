#pragma once

#include <vector>

#include "bench/bench.hpp"

namespace lab::judge {

/// A size of a launcher, and what to measure there.
struct planned_size {
  problem_size size;
  bool count = false, time = false;
};

/// The requested sizes, or the lab's own: on the simulator the one to count and, with options.simulator_time, those to
/// time; on a GPU those to time. Without the sizes that the launcher must refuse.
std::vector<planned_size> sizes_to_measure(const launcher_spec& launcher, const bench_options& options);

/// Whether a size that was not requested takes minutes on the simulator.
bool too_large(const launcher_spec& launcher, const problem_size& size, const bench_options& options);

}  // namespace lab::judge
