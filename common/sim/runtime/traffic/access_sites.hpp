#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/runtime/traffic/access_sample.hpp"

namespace lab::sim {

enum class space : std::uint8_t { global, shared, constant };
enum class operation : std::uint8_t { load, store, atomic };

/// An instruction of a kernel that accesses memory, and the cost of its accesses in the current launch.
struct site {
  const void* pc;
  operation op;
  space where;
  std::uint64_t requests = 0, sectors = 0, sectors_ideal = 0, wavefronts = 0, wavefronts_ideal = 0, conflicts = 0;
  bool executed = false, repeated = false;  // repeated: in a second or later iteration of a loop
  bool of_system = false;                   // of atomics: the scope is host and device
  std::uint64_t lanes = 0;                  // active lanes, summed over all requests
  std::uint64_t addresses = 0;              // of atomics: different addresses, summed over all requests
  std::uint64_t crowd = 0;                  // of atomics: the most lanes of one request at one address
  // Of a sample. Shared loads, after four neighboring loads became one of 16 bytes; wavefronts of global loads, too,
  // because L1 keeps its lines in the banks of shared memory:
  std::uint64_t merged_wavefronts = 0, merged_requests = 0;
  bool unaligned = false;         // a shared load that began a row of neighbors at no multiple of 16 bytes: none merge
  std::uint64_t cache_lines = 0;  // of a sample's global accesses: lines of 128 bytes, summed over all requests
  access_sample sample = {};
};

/// All sites, numbered in the order in which they were first executed.
class site_table {
 public:
  __attribute__((always_inline)) std::uint16_t number(const void* pc, operation op, space where) {
    const auto key = key_of(pc, where);
    auto& slot = slot_of(key);
    if (slot.key == key) return slot.number;
    slot = {key, find(key, pc, op, where)};
    return slot.number;
  }
  /// The same site, if it is one of those used last; otherwise null.
  site* recent(const void* pc, space where) {
    const auto key = key_of(pc, where);
    const auto& slot = slot_of(key);
    return slot.key == key ? &all_[slot.number] : nullptr;
  }
  site& operator[](std::uint16_t i) { return all_[i]; }
  std::vector<site>& all() { return all_; }
  void start_counting();

 private:
  struct entry {
    std::uintptr_t key = 0;
    std::uint16_t number = 0;
  };
  static std::uintptr_t key_of(const void* pc, space where) {
    return reinterpret_cast<std::uintptr_t>(pc) * 4 + static_cast<std::uintptr_t>(where);
  }
  entry& slot_of(std::uintptr_t key) { return recent_[(key ^ key >> 11) % recent_.size()]; }
  std::uint16_t find(std::uintptr_t key, const void* pc, operation op, space where);
  std::array<entry, 2048> recent_{};
  std::vector<entry> keys_;
  std::vector<site> all_;
};

}  // namespace lab::sim
