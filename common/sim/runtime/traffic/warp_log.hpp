#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/runtime/traffic/access_sites.hpp"
#include "sim/runtime/traffic/call_path.hpp"

namespace lab::sim {

/// The memory instructions that one warp executes between two flushes. Lanes run one after another. Their accesses are
/// one instruction if they agree in site, call path and iteration of every loop.
class warp_log {
 public:
  __attribute__((always_inline)) void add(unsigned lane, std::uint16_t site, const call_path& path,
                                          std::uint64_t address, unsigned bytes) {
    auto& next = cursor_[lane];
    const bool as_before = all_[next].key == key_of(site, path) && !(all_[next].mask >> lane & 1);
    if (!as_before) [[unlikely]]
      next = find(lane, site, path, bytes);
    auto& now = all_[next++];
    now.mask |= 1u << lane;
    now.address[lane] = address;
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
    bool repeated;        // in a second or later iteration of a loop
    unsigned wavefronts;  // of shared memory, set by flush()
    std::uint64_t address[32];
  };
  static std::uint64_t key_of(std::uint16_t site, const call_path& path) {
    return (path.context() ^ site) * 0x9e3779b97f4a7c15;
  }
  static instruction no_instruction() {
    instruction none{};
    none.mask = ~0u;  // no lane can add to it
    return none;
  }
  std::span<instruction> executed() { return {all_.data(), all_.size() - 1}; }
  void count_merged(site_table& sites);
  std::uint32_t find(unsigned lane, std::uint16_t site, const call_path& path, unsigned bytes);

  std::vector<instruction> all_{no_instruction()};  // the last one ends the list
  std::unordered_map<std::uint64_t, std::uint32_t> first_;
  std::uint32_t cursor_[32] = {};
};

}  // namespace lab::sim
