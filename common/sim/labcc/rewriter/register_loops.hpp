#pragma once

#include <cstddef>
#include <vector>

#include "sim/labcc/rewriter/tokens.hpp"

namespace lab::sim {

/// Whether the `for` at this position counts to a bound and only computes with local variables and arrays. Such a loop
/// accesses no memory that a trace sees, so it needs no marks. In doubt it does not.
bool computes_in_registers(const std::vector<token>& tokens, std::size_t position);

}  // namespace lab::sim
