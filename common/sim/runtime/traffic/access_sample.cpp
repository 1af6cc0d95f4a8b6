#include "sim/runtime/traffic/access_sample.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lab::sim {

void access_sample::keep(const warp_access& access, unsigned lanes) {
  lanes_ = lanes;
  bytes_ = access.bytes;
  mask_ = access.mask;
  for (unsigned lane = 0; lane < 32; ++lane) address_[lane] = access.mask >> lane & 1 ? access.address[lane] : 0;
}

nlohmann::ordered_json access_sample::json() const {
  std::uint64_t lowest = ~0ull;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask_ >> lane & 1) lowest = std::min(lowest, address_[lane]);
  const std::uint64_t begin = lowest / 128 * 128;
  auto offsets = nlohmann::ordered_json::array();
  for (unsigned lane = 0; lane < 32; ++lane)
    offsets.push_back(mask_ >> lane & 1 ? nlohmann::ordered_json(address_[lane] - begin) : nullptr);
  return {{"bytes", bytes_}, {"offsets", offsets}};
}

}  // namespace lab::sim
