#pragma once

#include <cstdint>
#include <span>

#include "sim/runtime/tensor/layouts.hpp"

namespace lab::sim {

/// An element of an operand: the lane that holds it, its place in the lane's registers, its row and column.
struct cell {
  std::uint8_t lane, place, row, col;
};

/// The elements of an operand in the order of layout::for_each. Each OS thread lists an operand once.
std::span<const cell> cells_of(operand which, int m, int n, int k, element type);

}  // namespace lab::sim
