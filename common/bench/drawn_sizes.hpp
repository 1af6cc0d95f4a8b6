#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "lab/launcher_spec.hpp"
#include "protocol/array_layout.hpp"

namespace lab::judge {

/// A size, and how its arrays lie in memory.
struct drawn_size {
  problem_size size;
  zones placement = zones::guarded;

  friend bool operator==(const drawn_size&, const drawn_size&) = default;
};

/// "separate", "pooled" or "misaligned", as in the JSON document.
std::string_view placement_word(zones placement);

/// The most that one call may cost by the lab definition's cost().
struct most_work {
  double bytes, operations;
};

/// Draws sizes of a launcher, from one kilobyte to the most work: each in turn has another order of magnitude, another
/// kind of extents (powers of two, odd, prime, any; balanced or extreme aspect ratios) and another placement.
class size_drawer {
 public:
  size_drawer(const launcher_spec& launcher, most_work most, unsigned count, std::uint64_t seed);

  /// The next size that was not drawn before. The launcher may still refuse it, or its make() may throw usage_error.
  drawn_size next();

  /// From now on no arrays are misaligned.
  void only_aligned() { misaligned_ = false; }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution{low, high}(engine_); }
  std::vector<double> directions();
  problem_size size_of_cost(double bytes);
  problem_size scaled(const std::vector<double>& directions, double length) const;

  const launcher_spec& launcher_;
  most_work most_;
  unsigned count_, turn_ = 0;
  bool misaligned_ = true;
  std::mt19937_64 engine_;
  std::vector<drawn_size> drawn_;
};

}  // namespace lab::judge
