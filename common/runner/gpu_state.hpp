#pragma once

#include "protocol/messages.hpp"

namespace lab::runner {

/// Clocks and power of the current device now, read from the driver's management library (NVML); zeros if NVML is
/// unavailable, as on the simulator.
protocol::gpu_state gpu_state_now();

}  // namespace lab::runner
