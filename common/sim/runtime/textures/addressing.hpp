#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cuda_runtime_api.h"

// From a coordinate to the texels that a fetch reads along one dimension.

namespace lab::sim {

/// Up to two texels with their weights; an index of -1 is the border.
struct texels_of_axis {
  int index[2];
  float weight[2];
};

constexpr int border = -1;

inline int index_in_range(int i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap:
      return (i % n + n) % n;
    case cudaAddressModeMirror:
      return std::clamp(i < 0 ? -1 - i : 2 * n - 1 - i, 0, n - 1);
    case cudaAddressModeBorder:
      return border;
    default:
      return std::clamp(i, 0, n - 1);
  }
}

/// A coordinate in texels. Only normalized coordinates can wrap or mirror.
inline float in_texels(float x, int n, cudaTextureAddressMode mode, bool normalized) {
  if (!(std::fabs(x) <= 3e38f)) x = 0;
  if (normalized) {
    if (!(x >= 0 && x < 1)) {
      const float whole = std::floor(x);
      if (mode == cudaAddressModeWrap) x -= whole;
      if (mode == cudaAddressModeMirror) x = std::floor(whole / 2) == whole / 2 ? x - whole : 1 - (x - whole);
    }
    x *= static_cast<float>(n);
  }
  return std::clamp(x, -2.0f, static_cast<float>(n) + 2);
}

/// Sets each member by itself: a structure that is copied waits until all of its parts have been written.
__attribute__((always_inline)) inline void find_texels(texels_of_axis& found, float x, int n,
                                                       cudaTextureAddressMode mode, bool normalized, bool linear) {
  if (!normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  const float at = in_texels(x, n, mode, normalized) - (linear ? 0.5f : 0);
  const double place = (static_cast<double>(at) + 4) * 256;  // not negative, in units of 1 / 256
  const auto begin = static_cast<std::int64_t>(place) >> 8;
  const int i = static_cast<int>(begin) - 4;
  // The device keeps the fraction in 9 bits, 8 of them behind the point.
  const auto nearest = (static_cast<std::int64_t>(place * 2) + 1) >> 1;
  const auto part = static_cast<int>(nearest - begin * 256);
  const float fraction = linear ? static_cast<float>(part) / 256 : 0;
  found.index[0] = index_in_range(i, n, mode);
  found.index[1] = linear ? index_in_range(i + 1, n, mode) : 0;
  found.weight[0] = 1 - fraction;
  found.weight[1] = fraction;
}

}  // namespace lab::sim
