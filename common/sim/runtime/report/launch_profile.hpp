#pragma once

#include <nlohmann/json.hpp>

#include "sim/runtime/tracer/tracer.hpp"

namespace lab::sim::trace {

/// Adds warp execution efficiency, barriers, atomics and occupancy of a launch to its entry in the report.
void add_profile(nlohmann::ordered_json& launch, const launch_record& record);

}  // namespace lab::sim::trace
