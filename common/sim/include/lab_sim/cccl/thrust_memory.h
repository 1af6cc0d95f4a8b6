#pragma once

#include <thrust/mr/allocator.h>

#include "lab_sim/cccl/thrust_memory_resource.h"

namespace thrust {
namespace system {
namespace cuda {

template <class T>
using allocator = thrust::mr::stateless_resource_allocator<T, memory_resource>;
template <class T>
using universal_allocator = thrust::mr::stateless_resource_allocator<T, universal_memory_resource>;
template <class T>
using universal_host_pinned_allocator =
    thrust::mr::stateless_resource_allocator<T, universal_host_pinned_memory_resource>;

inline pointer<void> malloc(std::size_t bytes) {
  tag device;
  return pointer<void>{detail::malloc(device, bytes)};
}
template <class T>
pointer<T> malloc(std::size_t count) {
  return pointer<T>{static_cast<T*>(malloc(count * sizeof(T)).get())};
}
inline void free(pointer<void> memory) { cudaFree(memory.get()); }

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::allocator;
using system::cuda::free;
using system::cuda::malloc;
using system::cuda::universal_allocator;
using system::cuda::universal_host_pinned_allocator;
}  // namespace cuda
}  // namespace thrust
