#pragma once

#include <string>

#include "cuda_runtime_api.h"
#include "sim/hazard_kinds.hpp"

namespace lab::sim {

/// Records what an API call found, as cudaGetLastError will tell it, and returns it; a sticky error comes first.
cudaError_t report(cudaError_t found);

/// The sticky error, else what the last failing call of this OS thread reported; the second form also clears that.
cudaError_t last_error();
cudaError_t take_last_error();

/// The error that every later call returns until the device is reset, or cudaSuccess.
cudaError_t sticky();
/// A kernel failed: no later call succeeds. The first failure's detail is kept.
void fail(cudaError_t error, hazard_kind kind, const std::string& what);

/// One API call: nothing is done once an error is sticky.
template <class Action>
cudaError_t call(Action action) {
  return report(sticky() == cudaSuccess ? action() : sticky());
}

/// "kind: sentence" about the last refusal; cudaGetLastError says only the code.
void set_detail(hazard_kind kind, const std::string& what);
std::string error_detail();
void forget_errors();

}  // namespace lab::sim
