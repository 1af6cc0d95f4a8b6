#pragma once

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/pair.h>

#include <cstdlib>

#include "lab_sim/cccl/thrust_policy.h"

// Memory of the device, and temporary memory, which is the host's. Thrust finds these functions by the type of a
// policy.

namespace thrust {
namespace system {
namespace cuda {
namespace detail {

template <bool waits>
void* malloc(policy<waits>&, std::size_t bytes) {
  void* memory = nullptr;
  return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

template <bool waits, class Pointer>
void free(policy<waits>&, Pointer pointer) {
  cudaFree(thrust::raw_pointer_cast(pointer));
}

template <class T, bool waits>
thrust::pair<thrust::pointer<T, policy<waits>>, std::ptrdiff_t> get_temporary_buffer(policy<waits>&, std::ptrdiff_t n) {
  const thrust::pointer<T, policy<waits>> memory{static_cast<T*>(std::malloc(static_cast<std::size_t>(n) * sizeof(T)))};
  return {memory, memory.get() ? n : 0};
}

template <bool waits, class Pointer>
void return_temporary_buffer(policy<waits>&, Pointer pointer, std::ptrdiff_t) {
  std::free(static_cast<void*>(thrust::raw_pointer_cast(pointer)));
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
}  // namespace thrust
