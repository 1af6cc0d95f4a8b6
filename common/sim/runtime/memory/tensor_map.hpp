#pragma once

#include <cstdint>

namespace lab::sim {

/// What a CUtensorMap holds.
struct tensor_map {
  static constexpr std::uint32_t right = 0x7e2507;
  std::uint32_t mark;  // right, if the map was made
  std::uint8_t rank, element_bytes, swizzle;
  const char* base;
  std::uint64_t extents[5], strides[5];  // the strides in bytes, the innermost first
  std::uint16_t box[5];

  unsigned rows() const;  // of a box: pieces along the innermost dimension
  unsigned row_bytes() const { return box[0] * element_bytes; }
  unsigned box_bytes() const { return rows() * row_bytes(); }

  /// Row `i` of the box that begins at `at`: where it begins in the tensor, and how many of its elements before and
  /// after those in the tensor are beyond it.
  struct row {
    const char* from;
    unsigned before, inside;
  };
  row row_at(const int* at, unsigned i) const;
  /// Where byte `offset` of the box is stored; the place depends on the address.
  char* place_of(char* to, unsigned offset) const;
};
static_assert(sizeof(tensor_map) <= 128);

}  // namespace lab::sim
