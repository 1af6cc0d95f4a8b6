// prints: template 4 2, of a type 3, of a class 2, without a size 1
// prints: overloaded 2 3, by its address 3, as a pointer 6
// prints: template arguments that are deduced: 3
// prints: of several sizes cudaErrorNotSupported 0
#include <lab_sim.h>

#include <cstdio>

// Each kernel tells how many blocks its clusters have.
template <int x, int y = 1>
__global__ void __launch_bounds__(32) __cluster_dims__(x, y > 1 ? y : 1, 1) sized(unsigned* out) {
  *out = __clusterSizeInBlocks();
}

template <class T>
__cluster_dims__(3) __global__ void of_type(T* out) {
  *out = __clusterSizeInBlocks();
}

template <class T>
__global__ void __cluster_dims__(sizeof(T) / 2) by_its_type(T value, unsigned* out) {
  *out = __clusterSizeInBlocks() + 0 * unsigned(value);
}

namespace apart {
namespace {
struct keeper {
  template <bool twice>
  static __global__ void __cluster_dims__(1 + twice) of_class(unsigned* out) {
    *out = __clusterSizeInBlocks();
  }
};
}  // namespace
}  // namespace apart

__global__ void overloaded(unsigned* out, int);
__global__ void __cluster_dims__(2) overloaded(unsigned* out, int) { *out = __clusterSizeInBlocks(); }
__global__ void __cluster_dims__(3) overloaded(unsigned* out, float) { *out = __clusterSizeInBlocks(); }
__global__ void without(unsigned* out) { *out = __clusterSizeInBlocks(); }

int main() {
  unsigned *out, values[2];
  cudaMallocManaged(&out, sizeof *out);
  const auto found = [&] {
    const cudaError_t ended = cudaDeviceSynchronize();
    const unsigned value = ended == cudaSuccess ? *out : 99;
    *out = 0;
    return value;
  };
  sized<4><<<8, 32>>>(out), values[0] = found();
  sized<2, 1><<<8, 32>>>(out), values[1] = found();
  std::printf("template %u %u", values[0], values[1]);
  of_type<unsigned><<<3, 1>>>(out), std::printf(", of a type %u", found());
  apart::keeper::of_class<true><<<2, 1>>>(out), std::printf(", of a class %u", found());
  without<<<2, 1>>>(out), std::printf(", without a size %u\n", found());

  void (*const first)(unsigned*, int) = overloaded;
  void (*const second)(unsigned*, float) = overloaded;
  first<<<6, 1>>>(out, 0), values[0] = found();
  second<<<6, 1>>>(out, 0.f), values[1] = found();
  float zero = 0;
  void* arguments[] = {&out, &zero};
  cudaLaunchKernel((const void*)second, dim3(6), dim3(1), arguments, 0, nullptr);
  std::printf("overloaded %u %u, by its address %u", values[0], values[1], found());
  void (*const pair)(unsigned*) = sized<3, 2>;
  pair<<<dim3(3, 2), 1>>>(out), std::printf(", as a pointer %u\n", found());

  of_type<<<3, 1>>>(out), values[0] = found();
  std::printf("template arguments that are deduced: %u\n", values[0]);

  by_its_type<<<4, 1>>>(1.f, out), by_its_type<<<4, 1>>>(1., out);
  std::printf("of several sizes %s %u\n", cudaGetErrorName(cudaGetLastError()), *out);
}
