#pragma once

#include "protocol/messages.hpp"

namespace lab::runner {

/// Clocks and power of the current device at this moment, from the driver's management library (NVML); zeros where that
/// is not to be had, as on the simulator.
protocol::gpu_state gpu_state_now();

}  // namespace lab::runner
