#pragma once

#include <cstdint>
#include <set>

namespace lab::sim {

/// Those of the addresses that a static variable of the program or of a library holds, the simulator's own excepted.
std::set<std::uintptr_t> held_by_static_variables(const std::set<std::uintptr_t>& addresses);

}  // namespace lab::sim
