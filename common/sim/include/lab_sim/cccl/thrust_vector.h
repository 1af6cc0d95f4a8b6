#pragma once

#include <thrust/detail/vector_base.h>

#include "lab_sim/cccl/thrust_memory.h"

namespace thrust {
namespace system {
namespace cuda {

template <class T, class Allocator = allocator<T>>
using vector = thrust::detail::vector_base<T, Allocator>;
template <class T, class Allocator = universal_allocator<T>>
using universal_vector = thrust::detail::vector_base<T, Allocator>;
template <class T>
using universal_host_pinned_vector = thrust::detail::vector_base<T, universal_host_pinned_allocator<T>>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::universal_vector;
using system::cuda::vector;
}  // namespace cuda
}  // namespace thrust
