#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace lab {

/// Extents of an array, outermost first; row-major.
using array_shape = std::vector<std::int64_t>;

inline std::int64_t count(const array_shape& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>{});
}

/// An array that a card hands to its launcher. Without values it is an output: the harness fills it with poison.
template <class T>
struct tensor {
  array_shape shape;
  std::vector<T> values;
};

/// An output of the given shape, to be written whole by the launcher.
template <class T>
tensor<T> output(array_shape extents) {
  return {std::move(extents), {}};
}

}  // namespace lab
