#pragma once

#include "bench/bench.hpp"
#include "judge/session.hpp"

namespace lab::judge {

/// Adds the device, the CPU and the ceiling to a result; returns the ceiling: measured GB/s of device memory, read plus
/// written.
double add_device(bench_result& result, session& calls, const bench_options& options);

}  // namespace lab::judge
