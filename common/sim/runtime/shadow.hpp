#pragma once

#include <cstdint>

#include "trace_sites.hpp"

namespace lab::sim {

/// Who touched four bytes since the last barrier, which blocks did in this launch, and which bytes have a value.
struct shadow_cell {
  std::uint32_t interval;                         // that the threads below belong to
  std::uint32_t writer, reader, reader2, atomic;  // thread + 1, and above bit 11 the warp's interval
  std::uint32_t writer_block, reader_block, reader2_block, atomic_block;  // block + 1
  std::uint16_t write_site, read_site, atomic_site;
  std::uint8_t has_value : 4, write_mask : 4, read_mask : 4, atomic_mask : 4;
};
static_assert(sizeof(shadow_cell) <= 48);

/// One access as the race analysis sees it.
struct shadow_access {
  std::uint32_t thread;  // + 1
  std::uint32_t block;   // + 1
  std::uint16_t site;
  operation op;
  space where;
  std::uint8_t mask;  // of the cell's bytes
};

/// Which interval is running: numbers that grow with every barrier, block and launch.
struct interval_clock {
  std::uint32_t now = 1, block_start = 1, launch_start = 1;
  std::uint32_t warp[32] = {};  // meetings of each warp
};

struct conflict {
  bool found = false, between_blocks = false, both_write = false;
  std::uint32_t other = 0;  // thread + 1, or block + 1
  std::uint16_t other_site = 0;
};

/// Notes the access and says whether an earlier one, of another thread and not ordered before it, conflicts. Any order
/// of the threads finds the same cells in conflict.
conflict note_access(shadow_cell& cell, const shadow_access& access, const interval_clock& clock);

}  // namespace lab::sim
