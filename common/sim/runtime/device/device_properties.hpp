#pragma once

#include "cuda_runtime_api.h"

namespace lab::sim {

/// What CUDA says of the simulated device; its memory is as large as this machine can give.
cudaDeviceProp properties_of_device();
/// The value of one attribute, or cudaErrorInvalidValue for one that is not known.
cudaError_t attribute_of_device(cudaDeviceAttr attribute, int& value);

}  // namespace lab::sim
