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

/// Hazards in the order in which they were found. Repetitions at the same instructions are counted.
class hazard_list {
 public:
  /// Returns the hazard's index. Of repetitions, the highest severity counts.
  std::size_t add(hazard found);
  void raise(std::size_t index, severity level);
  /// Merges the hazards of one kind and pair of source lines. Reads debug information: never call it from a fiber.
  std::vector<hazard> by_line() const;
  void clear() { *this = {}; }

 private:
  std::vector<hazard> all_;
  std::map<std::tuple<hazard_kind, std::string, const void*, const void*>, std::size_t> known_;
};

}  // namespace lab::sim
