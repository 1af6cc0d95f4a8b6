#pragma once

#include <cstdint>

namespace lab::sim {

/// One memory instruction of a warp: `bytes` per lane (1 to 16), addresses of the lanes in `mask`.
struct warp_access {
  std::uint32_t mask;
  unsigned bytes;
  const std::uint64_t* address;
};

/// How many different addresses the lanes access: constant memory and atomics take them one after another.
unsigned distinct_addresses(const warp_access& access);
/// The most lanes that access one address.
unsigned largest_crowd(const warp_access& access);

/// Distinct 32-byte sectors that the access touches, and the fewest that could hold as many bytes.
struct sector_cost {
  unsigned sectors, ideal;
};
sector_cost global_cost(const warp_access& access);

/// Wavefronts of a shared-memory access, the fewest for as many bytes, and the conflicts among them. Fitted to what an
/// H200 counted.
struct wavefront_cost {
  unsigned wavefronts, ideal, conflicts;
};
wavefront_cost shared_cost(const warp_access& access, bool load);

}  // namespace lab::sim
