#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "lab/tensor.hpp"
#include "support/parallel.hpp"

namespace lab {

/// The floating-point inputs of a case: small integers, whose sums are exact in any order, or real numbers. A large
/// array of repeated inputs, of any type, repeats what it begins with: enough to count what some of the blocks do, and
/// drawn sooner.
enum class inputs { lattice, real, repeated };

/// Draws a case's inputs from a seed. The inputs do not depend on the number of cores.
class random {
 public:
  explicit random(std::uint64_t seed, inputs kind = inputs::real) : seed_{seed}, kind_{kind} {}

  inputs kind() const { return kind_; }

  /// Integers in [low, high].
  template <class T = int>
  tensor<T> integers(array_shape extents, T low, T high) {
    return draw<T>(std::move(extents), std::uniform_int_distribution<T>{low, high});
  }

  /// Reals in [-1, 1), or integers in [-limit, limit] for lattice inputs.
  tensor<float> values(array_shape extents, int limit = 4) {
    if (kind_ != inputs::lattice) return draw<float>(std::move(extents), std::uniform_real_distribution<float>{-1, 1});
    return draw<float>(std::move(extents), std::uniform_int_distribution<int>{-limit, limit});
  }

  /// Normally distributed reals with this mean and standard deviation, for both kinds of inputs.
  tensor<float> normal(array_shape extents, float mean = 0, float deviation = 1) {
    return draw<float>(std::move(extents), std::normal_distribution<float>{mean, deviation});
  }

 private:
  // Every chunk has its own engine, so that chunks can be drawn in parallel.
  template <class T, class Distribution>
  tensor<T> draw(array_shape extents, const Distribution& distribution) {
    constexpr std::int64_t chunk = 1 << 16, before_repeating = 16 * chunk;
    tensor<T> result{std::move(extents), {}};
    const auto total = lab::count(result.shape);
    const auto drawn = kind_ == inputs::repeated ? std::min(total, before_repeating) : total;
    std::vector<T> first(static_cast<std::size_t>(drawn));
    const std::uint64_t stream = ++drawn_;
    parallel_for((drawn + chunk - 1) / chunk, [&](std::int64_t chunk_index) {
      std::seed_seq seeds{seed_, seed_ >> 32, stream, static_cast<std::uint64_t>(chunk_index)};
      std::mt19937 engine{seeds};
      auto own_distribution = distribution;
      for (auto i = chunk_index * chunk; i < std::min(drawn, (chunk_index + 1) * chunk); ++i)
        first[static_cast<std::size_t>(i)] = static_cast<T>(own_distribution(engine));
    });
    if (drawn == total) {
      result.values = std::move(first);
      return result;
    }
    result.values.reserve(static_cast<std::size_t>(total));  // a resize would also fill what is copied next
    for (std::int64_t done = 0; done < total; done += drawn)
      result.values.insert(result.values.end(), first.begin(), first.begin() + std::min(drawn, total - done));
    return result;
  }

  std::uint64_t seed_;
  inputs kind_;
  std::uint64_t drawn_ = 0;
};

}  // namespace lab
