#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/runtime/traffic/access_sites.hpp"

namespace lab::sim {

/// An access to four bytes by an operation in a stream: a kernel, a copy or a fill.
struct past_access {
  std::uint64_t by = 0;  // the operation
  std::uint16_t site = 0;
  operation op = operation::load;
  std::uint8_t mask = 0;  // of the bytes
  auto operator<=>(const past_access&) const = default;
};

/// What operations have done to memory, as numbers that shadow memory can hold: 0 means nothing. Neighboring cells have
/// the same history, so there are few of them.
class access_histories {
 public:
  struct outcome {
    std::uint32_t next = 0;
    bool conflicts = false;
    past_access other{};
  };

  /// The accesses that follow are of this operation.
  void start(std::uint64_t by) { now_ = by, recent_.fill({}); }

  /// What the history becomes when the operation accesses these bytes; null unless it is known and there is no
  /// conflict.
  const std::uint32_t* known(std::uint32_t history, std::uint16_t site, std::uint8_t mask) const {
    const step& s = recent_[site % recent_.size()];
    return s.history == history && s.site == site && s.mask == mask ? &s.next : nullptr;
  }

  /// Adds an access. It conflicts with an earlier access to the same bytes if one of the two writes, not both are
  /// atomic, and nothing orders their operations. `before` says whether an operation happened before the current one.
  template <class Before>
  outcome add(std::uint32_t history, std::uint16_t site, operation op, std::uint8_t mask, Before before) {
    const past_access fresh{now_, site, op, mask};
    outcome found;
    std::vector<past_access> kept;
    for (const auto& a : all_[history]) {
      const bool ordered = a.by == now_ || before(a.by);
      if (!ordered && conflict(a, fresh) && worse(a, found)) found.conflicts = true, found.other = a;
      keep(kept, a, fresh, ordered);
    }
    kept.push_back(fresh);
    found.next = number_of(std::move(kept));
    if (!found.conflicts) recent_[site % recent_.size()] = {history, found.next, site, mask};
    return found;
  }

 private:
  struct step {
    std::uint32_t history = 0, next = 0;
    std::uint16_t site = 0;
    std::uint8_t mask = 0;  // never 0 in a known step
  };

  static bool conflict(const past_access& a, const past_access& b);
  static bool worse(const past_access& other, const outcome& found);
  static void keep(std::vector<past_access>& kept, past_access a, const past_access& fresh, bool ordered);
  std::uint32_t number_of(std::vector<past_access> accesses);

  std::uint64_t now_ = 0;
  std::array<step, 256> recent_{};
  std::vector<std::vector<past_access>> all_{{}};
  std::map<std::vector<past_access>, std::uint32_t> numbers_{};
};

}  // namespace lab::sim
