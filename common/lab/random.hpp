#pragma once

#include <cstdint>
#include <random>

#include "lab/tensor.hpp"
#include "support/parallel.hpp"

namespace lab {

/// What a case's floating-point inputs are: small integers, whose sums are exact in any order, or real numbers.
enum class inputs { lattice, real };

/// Draws a case's inputs from a seed; the same seed gives the same inputs on any number of cores.
class random {
 public:
  explicit random(std::uint64_t seed, inputs kind = inputs::real) : seed_{seed}, kind_{kind} {}

  inputs kind() const { return kind_; }

  /// Integers in [low, high].
  template <class T = int>
  tensor<T> integers(array_shape extents, T low, T high) {
    return draw<T>(std::move(extents), std::uniform_int_distribution<T>{low, high});
  }

  /// Reals in [-1, 1), or whole numbers in [-limit, limit] when the case asks for lattice inputs.
  tensor<float> values(array_shape extents, int limit = 4) {
    if (kind_ == inputs::real) return draw<float>(std::move(extents), std::uniform_real_distribution<float>{-1, 1});
    return draw<float>(std::move(extents), std::uniform_int_distribution<int>{-limit, limit});
  }

  /// Normally distributed reals with the given mean and standard deviation, whatever the kind of case.
  tensor<float> normal(array_shape extents, float mean = 0, float deviation = 1) {
    return draw<float>(std::move(extents), std::normal_distribution<float>{mean, deviation});
  }

 private:
  // Every chunk has an engine of its own, so that chunks can be drawn in parallel.
  template <class T, class Distribution>
  tensor<T> draw(array_shape extents, const Distribution& distribution) {
    constexpr std::int64_t chunk = 1 << 16;
    tensor<T> result{std::move(extents), {}};
    const auto total = lab::count(result.shape);
    result.values.resize(total);
    const std::uint64_t stream = ++drawn_;
    parallel_for((total + chunk - 1) / chunk, [&](std::int64_t c) {
      std::seed_seq seeds{seed_, seed_ >> 32, stream, static_cast<std::uint64_t>(c)};
      std::mt19937 engine{seeds};
      auto d = distribution;
      for (auto i = c * chunk; i < std::min(total, (c + 1) * chunk); ++i) result.values[i] = static_cast<T>(d(engine));
    });
    return result;
  }

  std::uint64_t seed_;
  inputs kind_;
  std::uint64_t drawn_ = 0;
};

}  // namespace lab
