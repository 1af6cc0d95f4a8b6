#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/runtime/traffic/access_sites.hpp"

namespace lab::sim {

/// The memory instructions that one warp executes between two flushes. Lanes run one after another. Their accesses are
/// one instruction if they agree in site, call path and iteration of every loop.
class warp_log {
 public:
  void add(unsigned lane, std::uint16_t site, std::uint64_t context, std::uint64_t address, unsigned bytes) {
    const std::uint64_t key = (context ^ site) * 0x9e3779b97f4a7c15;
    auto& next = cursor_[lane];
    if (next >= all_.size() || all_[next].key != key || all_[next].mask >> lane & 1)
      next = find(lane, key, site, bytes);
    auto& i = all_[next++];
    i.mask |= 1u << lane;
    i.address[lane] = address;
  }

  /// Adds the costs of all instructions to their sites and clears the log.
  /// `merges`: also counts the wavefronts that remain where nvcc merges neighboring loads.
  void flush(site_table& sites, bool merges);

 private:
  struct instruction {
    std::uint64_t key;
    std::uint32_t mask, next_alike;  // the next instruction with the same key, 0: none
    std::uint16_t site;
    std::uint8_t bytes;
    unsigned wavefronts;  // of shared memory, set by flush()
    std::uint64_t address[32];
  };
  void count_merged(site_table& sites);
  std::uint32_t find(unsigned lane, std::uint64_t key, std::uint16_t site, unsigned bytes);

  std::vector<instruction> all_;
  std::unordered_map<std::uint64_t, std::uint32_t> first_;
  std::uint32_t cursor_[32] = {};
};

}  // namespace lab::sim
