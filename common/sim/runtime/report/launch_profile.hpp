#pragma once

#include <nlohmann/json.hpp>

#include "sim/runtime/tracer/tracer.hpp"

namespace lab::sim::trace {

/// How well a launch uses its warps, how often it waits, where its atomics meet and how many blocks fit on the device:
/// fields of the report beside its metrics and lines.
void add_profile(nlohmann::ordered_json& launch, const launch_record& record);

}  // namespace lab::sim::trace
