#pragma once

#include <system_error>

#include "lab_sim/api/library_operation.h"

// Every algorithm of Thrust calls  derived_cast(strip_const(policy))  and passes the result on to the algorithm of the
// policy's system. For the simulator's system, strip_const returns an object that lives as long as this call. Device
// memory is open meanwhile.

namespace thrust {
namespace system {
namespace cuda {
namespace detail {

/// Algorithms in a stream; `waits`: the host waits for them.
template <bool waits>
struct policy;

template <class Policy>
class session {
 public:
  explicit session(Policy& policy) : policy_{policy}, operation_{policy.stream(), Policy::host_waits} {
    if (operation_.error() != cudaSuccess)
      throw std::runtime_error(std::string("Thrust: ") + cudaGetErrorString(operation_.error()));
  }
  Policy& policy() const { return policy_; }

 private:
  Policy& policy_;
  lab_sim::library_operation operation_;
};

}  // namespace detail
}  // namespace cuda
}  // namespace system

namespace detail {

template <bool waits>
system::cuda::detail::session<system::cuda::detail::policy<waits>> strip_const(
    const execution_policy_base<system::cuda::detail::policy<waits>>& exec) {
  using policy = system::cuda::detail::policy<waits>;
  return system::cuda::detail::session<policy>{const_cast<policy&>(static_cast<const policy&>(exec))};
}

template <class Policy>
Policy& derived_cast(const system::cuda::detail::session<Policy>& now) {
  return now.policy();
}

}  // namespace detail
}  // namespace thrust
