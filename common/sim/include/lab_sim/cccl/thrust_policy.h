#pragma once

// The simulator's system for Thrust, under the names of the CUDA system: its tag and its policies.

#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include "lab_sim/cccl/thrust_session.h"

namespace thrust {
namespace system {
namespace cuda {

template <class Derived>
struct execution_policy : thrust::system::detail::sequential::execution_policy<Derived> {};

namespace detail {

template <bool waits>
struct policy : execution_policy<policy<waits>> {
  static constexpr bool host_waits = waits;

  constexpr policy() = default;
  explicit constexpr policy(cudaStream_t stream) : stream_{stream} {}
  policy on(cudaStream_t stream) const { return policy{stream}; }
  /// Temporary memory is the host's, so an allocator for it has no use.
  template <class Allocator>
  policy operator()(Allocator&&) const {
    return *this;
  }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

using par_t = policy<true>;
using par_nosync_t = policy<false>;

// A copy between host and device is the device's.
template <bool waits, class Host>
policy<waits>& select_system(policy<waits>& device, thrust::system::cpp::execution_policy<Host>&) {
  return device;
}
template <bool waits, class Host>
policy<waits>& select_system(thrust::system::cpp::execution_policy<Host>&, policy<waits>& device) {
  return device;
}

}  // namespace detail

using tag = detail::par_t;
inline constexpr detail::par_t par{};
inline constexpr detail::par_nosync_t par_nosync{};

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::execution_policy;
using system::cuda::par;
using system::cuda::par_nosync;
using system::cuda::tag;
}  // namespace cuda
}  // namespace thrust
