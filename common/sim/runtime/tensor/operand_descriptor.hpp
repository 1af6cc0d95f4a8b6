#pragma once

#include <cstdint>

#include "lab_sim/device.h"
#include "sim/runtime/memory/tensor_map.hpp"

namespace lab::sim {

// Where an operand's elements are in shared memory, as wgmma's matrix descriptor says it.
struct operand_descriptor {
  std::uintptr_t start;
  unsigned leading, stride, swizzle;

  explicit operand_descriptor(std::uint64_t bits)
      : start{reinterpret_cast<std::uintptr_t>(lab_sim::from_shared_address((bits & 0x3fff) << 4))},
        leading{static_cast<unsigned>(bits >> 16 & 0x3fff) << 4},
        stride{static_cast<unsigned>(bits >> 32 & 0x3fff) << 4},
        swizzle{static_cast<unsigned>(bits >> 62)} {}

  /// Element k of row or column `i`; `contiguous` says that elements of the same k lie side by side.
  std::uintptr_t at(unsigned i, unsigned k, bool contiguous) const {
    if (swizzle == 0)
      return contiguous ? start + i / 8 * stride + k / 8 * leading + k % 8 * 16 + i % 8 * 2
                        : start + i / 8 * stride + k / 8 * leading + i % 8 * 16 + k % 8 * 2;
    const unsigned row = 256 >> swizzle, elements = row / 2;  // of a row: bytes, and elements
    const std::uintptr_t address =
        contiguous ? start + i / elements * leading + k / 8 * stride + k % 8 * row + i % elements * 2
                   : start + i / 8 * stride + i % 8 * row + k * 2;
    return swizzled(address, row);
  }
};

// Calls f(i, k, address) for each 16 bytes of the elements i in [begin, end) and k in [0, 16): eight elements that lie
// side by side, from this one on.
template <class F>
void each_piece(const operand_descriptor& d, unsigned begin, unsigned end, bool contiguous, F f) {
  for (unsigned i = begin; i < end; i += contiguous ? 8 : 1)
    for (unsigned k = 0; k < 16; k += contiguous ? 1 : 8)
      f(i, k, reinterpret_cast<const char*>(d.at(i, k, contiguous)));
}

}  // namespace lab::sim
