#pragma once

#include <cstddef>
#include <vector>

#include "cufft.h"

// What a plan of cuFFT says of its transforms.

namespace lab::sim::cufft {

struct plan {
  std::vector<int> sizes = {};  // the last one changes fastest
  cufftType type = CUFFT_C2C;
  int batch = 0;
  // Of the arrays that hold the data: their sizes, the distances of two elements and of two transforms.
  struct layout {
    std::vector<int> sizes = {};
    int stride = 1, distance = 0;
  } in = {}, out = {};
  cudaStream_t stream = nullptr;

  bool made() const { return batch > 0; }
  /// Elements from the first that the transforms access to the last.
  std::size_t extent(const layout& of) const {
    std::size_t last = 0, row = 1;
    for (std::size_t i = of.sizes.size(); i-- > 0;) {
      const bool halved = i + 1 == of.sizes.size() && is_half(of);
      last += row * static_cast<std::size_t>((halved ? sizes[i] / 2 + 1 : sizes[i]) - 1);
      row *= static_cast<std::size_t>(of.sizes[i]);
    }
    return last * static_cast<std::size_t>(of.stride) + 1 +
           static_cast<std::size_t>(batch - 1) * static_cast<std::size_t>(of.distance);
  }

  /// Whether a side has the complex half of a transform of real numbers.
  bool is_half(const layout& of) const {
    return (&of == &in && (type == CUFFT_C2R || type == CUFFT_Z2D)) ||
           (&of == &out && (type == CUFFT_R2C || type == CUFFT_D2Z));
  }
};

/// The plan of a handle; null if there is none.
plan* find(cufftHandle handle);

}  // namespace lab::sim::cufft
