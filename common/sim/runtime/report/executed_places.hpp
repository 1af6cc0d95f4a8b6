#pragma once

#include <nlohmann/json.hpp>

#include "sim/runtime/tracer/tracer.hpp"

namespace lab::sim::trace {

/// The accesses and barriers that a launch executed: [{"file", "line", "op", "space", "repeated"}]. An entry stands for
/// all accesses of one kind on one line. `repeated`: in the second or a later iteration of a loop.
nlohmann::ordered_json executed_places(const launch_record& record);

}  // namespace lab::sim::trace
