#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/runtime/traffic/access_cost.hpp"

namespace lab::sim {

/// What the lanes of one warp accessed: of one instruction, the first execution with the most active lanes.
class access_sample {
 public:
  void offer(const warp_access& a, unsigned lanes) {
    if (lanes > lanes_) keep(a, lanes);
  }
  void offer(const access_sample& other) {
    if (other.lanes_ > lanes_) *this = other;
  }

  /// {"bytes": of each lane, "offsets": 32 numbers, null for an idle lane}. Offsets begin at the multiple of 128 bytes
  /// at or before the lowest address, so that sectors and banks can be told from them.
  nlohmann::ordered_json json() const;

 private:
  void keep(const warp_access& a, unsigned lanes);

  unsigned lanes_ = 0, bytes_ = 0;
  std::uint32_t mask_ = 0;
  std::uint64_t address_[32] = {};
};

}  // namespace lab::sim
