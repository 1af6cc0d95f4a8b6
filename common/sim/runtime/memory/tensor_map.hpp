#pragma once

#include <cstdint>

namespace lab::sim {

/// Where a byte is stored that belongs to this address: pieces of 16 bytes change places within rows of 32, 64 or 128
/// bytes, by as many bits of the address from that on which counts 128 bytes. With rows of 16 bytes none does.
inline std::uintptr_t swizzled(std::uintptr_t address, unsigned row_bytes) {
  return address ^ (address >> 7 & (row_bytes / 16 - 1)) << 4;
}

/// What a CUtensorMap holds.
struct tensor_map {
  static constexpr std::uint32_t right = 0x7e2507;
  std::uint32_t mark;                         // right, if the map was made
  std::uint8_t rank, element_bytes, swizzle;  // swizzled in rows of 16 << swizzle bytes
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
