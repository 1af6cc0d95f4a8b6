#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace lab {

/// Extents of a row-major array, outermost first.
using array_shape = std::vector<std::int64_t>;

inline std::int64_t count(const array_shape& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>{});
}

/// An array argument of a launcher. Without values it is an output, which the judge fills with poison.
template <class T>
struct tensor {
  array_shape shape;
  std::vector<T> values;
};

/// An output of this shape; the launcher must write every element.
template <class T>
tensor<T> output(array_shape extents) {
  return {std::move(extents), {}};
}

}  // namespace lab
