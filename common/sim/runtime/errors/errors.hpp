#pragma once

#include <string>

#include "cuda_runtime_api.h"
#include "sim/hazard_kinds.hpp"

namespace lab::sim {

/// Records the result of an API call for cudaGetLastError and returns it.
cudaError_t report(cudaError_t found);

/// The sticky error if a call has returned it, else the error of this OS thread's last failed call. The second function
/// also clears the latter.
cudaError_t last_error();
cudaError_t take_last_error();

/// The error that every later call returns until the device is reset; cudaSuccess if there is none. A caller returns it
/// to the host.
cudaError_t sticky();
/// The same, for a caller that does not return it: kernels run while the host goes on, so a launch does not return what
/// its kernel does wrong.
cudaError_t faulted();
/// Whether a kernel has faulted and no call has returned its error.
bool fault_is_news();
/// Makes the error sticky. Only the first one and its detail are kept.
void fail(cudaError_t error, hazard_kind kind, const std::string& what);
/// The program looks at an error, or a report tells of it. Otherwise a sticky error is told when the program ends with
/// 0.
void known();

/// Notes that an error that is sticky kept a call from doing its work. Returns the error.
cudaError_t refused();
/// Whether there was such a call, so that memory may lack what the program wanted it to have.
bool has_refused();

/// Runs the action of an API call unless an error is sticky, and records its result.
template <class Action>
cudaError_t call(Action action) {
  return report(sticky() == cudaSuccess ? action() : refused());
}

/// The same for a call that only waits.
template <class Action>
cudaError_t call_that_waits(Action action) {
  return report(sticky() == cudaSuccess ? action() : sticky());
}

/// Sets the detail of the last error, "kind: what", which CUDA's error codes do not have.
void set_detail(hazard_kind kind, const std::string& what);
std::string error_detail();
void forget_errors();

}  // namespace lab::sim
