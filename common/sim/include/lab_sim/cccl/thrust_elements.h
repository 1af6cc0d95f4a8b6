#pragma once

#include <thrust/detail/raw_pointer_cast.h>

#include <utility>

#include "lab_sim/cccl/thrust_policy.h"

// How host code reads and writes one element of device memory. Thrust finds these functions by the type of a policy, of
// which it passes a null reference.

namespace thrust {
namespace system {
namespace cuda {
namespace detail {

template <bool waits, class Pointer>
thrust::detail::it_value_t<Pointer> get_value(policy<waits>&, Pointer from) {
  const lab_sim::library_operation now{nullptr};
  return *thrust::raw_pointer_cast(from);
}

template <bool waits, class To, class From>
void assign_value(policy<waits>&, To to, From from) {
  const lab_sim::library_operation now{nullptr};
  *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
}

template <bool waits, class One, class Other>
void iter_swap(policy<waits>&, One one, Other other) {
  const lab_sim::library_operation now{nullptr};
  using std::swap;
  swap(*thrust::raw_pointer_cast(one), *thrust::raw_pointer_cast(other));
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
}  // namespace thrust
