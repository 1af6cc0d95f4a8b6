#pragma once

#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

#include <new>
#include <type_traits>

#include "lab_sim/cccl/thrust_policy.h"

// Where the simulator's system for Thrust allocates.

namespace thrust {
namespace system {
namespace cuda {

template <class T>
using pointer = thrust::pointer<T, tag, thrust::tagged_reference<T, tag>>;
template <class T>
using universal_pointer = thrust::pointer<T, tag, typename std::add_lvalue_reference<T>::type>;
template <class T>
using reference = thrust::tagged_reference<T, tag>;

namespace detail {

inline cudaError_t allocate_managed(void** pointer, std::size_t bytes) { return cudaMallocManaged(pointer, bytes); }
inline cudaError_t allocate_device(void** pointer, std::size_t bytes) { return cudaMalloc(pointer, bytes); }
inline cudaError_t allocate_pinned(void** pointer, std::size_t bytes) { return cudaMallocHost(pointer, bytes); }

template <cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*), class Pointer>
class resource final : public thrust::mr::memory_resource<Pointer> {
 public:
  Pointer do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    if (bytes > 0 && allocate(&memory, bytes) != cudaSuccess) throw std::bad_alloc{};
    return Pointer{memory};
  }
  void do_deallocate(Pointer pointer, std::size_t, std::size_t) override { release(thrust::raw_pointer_cast(pointer)); }
};

}  // namespace detail

using memory_resource = detail::resource<detail::allocate_device, cudaFree, pointer<void>>;
using universal_memory_resource = detail::resource<detail::allocate_managed, cudaFree, universal_pointer<void>>;
using universal_host_pinned_memory_resource =
    detail::resource<detail::allocate_pinned, cudaFreeHost, universal_pointer<void>>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::memory_resource;
using system::cuda::pointer;
using system::cuda::reference;
using system::cuda::universal_host_pinned_memory_resource;
using system::cuda::universal_memory_resource;
using system::cuda::universal_pointer;
}  // namespace cuda
}  // namespace thrust
