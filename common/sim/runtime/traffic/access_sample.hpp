#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/runtime/traffic/access_cost.hpp"

namespace lab::sim {

/// The addresses of one warp: the first execution of an instruction with the most active lanes.
class access_sample {
 public:
  void offer(const warp_access& access, unsigned lanes) {
    if (lanes > lanes_) keep(access, lanes);
  }
  void offer(const access_sample& other) {
    if (other.lanes_ > lanes_) *this = other;
  }

  /// {"bytes": per lane, "offsets": 32 numbers, null for an inactive lane}. Offsets count from the multiple of 128
  /// bytes at or before the lowest address, so they show sectors and banks.
  nlohmann::ordered_json json() const;

 private:
  void keep(const warp_access& access, unsigned lanes);

  unsigned lanes_ = 0, bytes_ = 0;
  std::uint32_t mask_ = 0;
  std::uint64_t address_[32] = {};
};

}  // namespace lab::sim
