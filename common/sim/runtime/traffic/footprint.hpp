#pragma once

#include <cstdint>
#include <memory>

#include "sim/runtime/traffic/access_sites.hpp"

namespace lab::sim {

/// The different sectors of one allocation that a launch accessed.
struct footprint {
  std::uint64_t allocation = 0, bytes = 0;  // its first address, and its size
  std::uint64_t loaded = 0, stored = 0;     // different sectors; an atomic loads and stores
  std::uint64_t loaded_by_each_block = 0;   // a sector counts once for each block that loads it
};

/// Notes for each sector of an allocation which launch and block accessed it last. The system allocates only the pages
/// that are used.
class sector_notes {
 public:
  void start(std::uintptr_t begin, std::size_t bytes);
  void add(std::uintptr_t address, unsigned bytes, operation op, std::uint32_t block) {
    if (!notes_) return;
    for (std::uintptr_t s = address / 32; s <= (address + bytes - 1) / 32; ++s) {
      note& n = notes_.get()[s - first_];
      if (op != operation::store) load(n, block);
      if (op != operation::load && n.stored != launch_) n.stored = launch_, ++sum_.stored;
    }
  }
  const footprint& sum() const { return sum_; }

 private:
  struct note {
    std::uint32_t loaded, stored, block;
  };
  void load(note& n, std::uint32_t block) {
    if (n.loaded == launch_ && n.block == block) return;
    if (n.loaded != launch_) n.loaded = launch_, ++sum_.loaded;
    n.block = block;
    ++sum_.loaded_by_each_block;
  }

  std::shared_ptr<note> notes_{};
  std::uintptr_t first_ = 0;
  std::uint32_t launch_ = 0;
  footprint sum_{};
};

}  // namespace lab::sim
