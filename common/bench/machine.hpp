#pragma once

#include "bench/bench.hpp"
#include "judge/session.hpp"

namespace lab::judge {

/// Describes the device and the CPU in a result and measures the ceiling of device memory, GB/s read plus written.
double add_device(bench_result& r, session& runs, const bench_options& o);

}  // namespace lab::judge
