#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::sim {

// Where the sums of a warp's lanes are. Those of a lane lie side by side if the source has them in one array.
class sum_places {
 public:
  sum_places() = default;
  /// Each lane has `count` sums; sums_of(lane) points to their addresses.
  template <class SumsOf>
  sum_places(std::size_t count, SumsOf sums_of) : count_{count} {
    for (unsigned lane = 0; lane < 32; ++lane) side_by_side_ = side_by_side_ && are_side_by_side(sums_of(lane));
    for (unsigned lane = 0; lane < 32; ++lane)
      places_.insert(places_.end(), sums_of(lane), sums_of(lane) + (side_by_side_ ? 1 : count));
  }

  /// Calls f(lane, i, one, other) for sums i and i + 1 of a lane, which are neighbours in a row of the result.
  template <class F>
  void each_pair(F f) const {
    const auto pairs = [&](auto place) {
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count_; i += 2) f(lane, i, *place(lane, i), *place(lane, i + 1));
    };
    if (places_.empty()) return;
    if (side_by_side_)
      pairs([&](unsigned lane, unsigned i) { return places_[lane] + i; });
    else
      pairs([&](unsigned lane, unsigned i) { return places_[lane * count_ + i]; });
  }

  std::vector<float> values() const {
    std::vector<float> all;
    all.reserve(32 * count_);
    each_pair([&](unsigned, unsigned, float one, float other) { all.insert(all.end(), {one, other}); });
    return all;
  }

  bool operator==(const sum_places&) const = default;

 private:
  bool are_side_by_side(float* const* sums) const {
    std::uintptr_t distance = 0;
    for (std::size_t i = 0; i < count_; ++i)
      distance |= reinterpret_cast<std::uintptr_t>(sums[i]) - reinterpret_cast<std::uintptr_t>(sums[0] + i);
    return distance == 0;
  }

  std::size_t count_ = 0;
  bool side_by_side_ = true;
  std::vector<float*> places_;  // of each lane's first sum if they lie side by side, else of each sum
};

}  // namespace lab::sim
