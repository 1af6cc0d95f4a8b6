#pragma once

#include <algorithm>
#include <cmath>

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
    const float whole = std::floor(x);
    if (mode == cudaAddressModeWrap) x -= whole;
    if (mode == cudaAddressModeMirror) x = std::fmod(whole, 2.0f) == 0 ? x - whole : 1 - (x - whole);
    x *= static_cast<float>(n);
  }
  return std::clamp(x, -2.0f, static_cast<float>(n) + 2);
}

inline texels_of_axis texels_of(float x, int n, cudaTextureAddressMode mode, bool normalized, bool linear) {
  if (!normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  const float at = in_texels(x, n, mode, normalized) - (linear ? 0.5f : 0);
  const int i = static_cast<int>(std::floor(at));
  if (!linear) return {{index_in_range(i, n, mode), 0}, {1, 0}};
  // The device keeps the fraction in 9 bits, 8 of them behind the point.
  const float fraction = std::floor((at - std::floor(at)) * 256 + 0.5f) / 256;
  return {{index_in_range(i, n, mode), index_in_range(i + 1, n, mode)}, {1 - fraction, fraction}};
}

}  // namespace lab::sim
