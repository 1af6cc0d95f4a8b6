#pragma once

#include "network.hpp"

// Copies of the arrays of the network that begin between two vectors: all, or all but the images.
namespace aligned {

constexpr int arrays = 6, threads = 256, each = 4;  // a thread copies four elements, a block's width apart

struct places {
  const float* from[arrays];
  float* to[arrays];
  int first[arrays + 1];  // block of each array
  int count[arrays];
};

static __global__ void __launch_bounds__(threads) copy_kernel(const places all) {
  int which = 0;
#pragma unroll
  for (int i = 1; i < arrays; ++i) which += int(blockIdx.x) >= all.first[i];
  const int begin = (blockIdx.x - all.first[which]) * threads * each + threadIdx.x, end = all.count[which];
  const float* from = all.from[which];
  float moved[each];
#pragma unroll
  for (int i = 0; i < each; ++i)
    if (begin + i * threads < end) moved[i] = from[begin + i * threads];
#pragma unroll
  for (int i = 0; i < each; ++i)
    if (begin + i * threads < end) all.to[which][begin + i * threads] = moved[i];
}

// Made on the default stream, and gone in that stream's order.
class copies {
 public:
  /// No images are copied if `batch` is 0.
  copies(const float* images, const network& n, int batch) : b3_{n.b3}, images_{images} {
    const float* from[] = {images, n.w1, n.b1, n.w2, n.b2, n.w3};
    // All are multiples of four, so each copy begins where a vector does.
    const int count[] = {batch * pixels, pixels * hidden, hidden, hidden * hidden, hidden, hidden * classes};
    size_t floats = 0;
    for (const int of_array : count) floats += of_array;
    if (cudaMallocAsync(&memory_, floats * sizeof(float), 0) != cudaSuccess) {
      cudaGetLastError();  // it is answered here
      memory_ = nullptr;
      return;
    }
    float* next = memory_;
    for (int i = 0; i < arrays; ++i) {
      all_.from[i] = from[i], all_.to[i] = next, all_.count[i] = count[i];
      all_.first[i + 1] = all_.first[i] + (count[i] + threads * each - 1) / (threads * each);
      next += count[i];
    }
    copy_kernel<<<all_.first[arrays], threads>>>(all_);
  }
  copies(const copies&) = delete;
  copies& operator=(const copies&) = delete;
  ~copies() {
    if (memory_) cudaFreeAsync(memory_, 0);
  }

  bool exist() const { return memory_; }
  const float* images() const { return all_.count[0] > 0 ? all_.to[0] : images_; }
  network weights() const { return {all_.to[1], all_.to[2], all_.to[3], all_.to[4], all_.to[5], b3_}; }

 private:
  float* memory_ = nullptr;
  const float *b3_, *images_;
  places all_{};
};

}  // namespace aligned
