#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lab_sim/types.h"
#include "sim/hazard_kinds.hpp"

namespace lab::sim {

enum class severity : std::uint8_t { info, warning, error };

/// One hazard at one place, as the report shows it.
struct hazard {
  hazard_kind kind;
  severity level;
  std::string kernel, space, message;
  const void* pc = nullptr;
  const void* other_pc = nullptr;
  dim3 block;
  uint3 thread{};
  std::uint64_t count = 1;
};

/// Hazards in the order in which they were found; repetitions at the same places are counted.
class hazard_list {
 public:
  /// The hazard's place in the list; its severity rises to the worst one seen.
  std::size_t add(hazard h);
  void raise(std::size_t i, severity level);
  /// One entry for each kind and pair of source lines. Reads debug information, so it needs an ordinary stack.
  std::vector<hazard> by_line() const;
  void clear() { *this = {}; }

 private:
  std::vector<hazard> all_;
  std::map<std::tuple<hazard_kind, std::string, const void*, const void*>, std::size_t> known_;
};

}  // namespace lab::sim
