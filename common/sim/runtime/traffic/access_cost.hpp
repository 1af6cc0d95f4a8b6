#pragma once

#include <cstdint>

namespace lab::sim {

/// One memory instruction of a warp: `bytes` per lane (1 to 16), and the addresses of the lanes in `mask`.
struct warp_access {
  std::uint32_t mask;
  unsigned bytes;
  const std::uint64_t* address;
};

/// The number of different addresses. Constant memory and atomics serve them one after another.
unsigned distinct_addresses(const warp_access& access);
/// The most lanes that access one address.
unsigned largest_crowd(const warp_access& access);

/// The distinct 32-byte sectors of an access, and the fewest sectors that hold as many bytes.
struct sector_cost {
  unsigned sectors, ideal;
};
sector_cost global_cost(const warp_access& access);

/// The distinct 128-byte lines of an access.
unsigned cache_lines(const warp_access& access);

/// The wavefronts of a shared memory access, the fewest for as many bytes, and the bank conflicts. The rules reproduce
/// the counters of an H200.
struct wavefront_cost {
  unsigned wavefronts, ideal, conflicts;
};
wavefront_cost shared_cost(const warp_access& access, bool load);

}  // namespace lab::sim
