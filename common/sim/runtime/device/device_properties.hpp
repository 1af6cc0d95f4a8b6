#pragma once

#include "cuda_runtime_api.h"

namespace lab::sim {

/// The properties of the simulated device. Its memory is three quarters of this machine's.
cudaDeviceProp properties_of_device();
/// The value of one attribute; cudaErrorInvalidValue if it is unknown.
cudaError_t attribute_of_device(cudaDeviceAttr attribute, int& value);

}  // namespace lab::sim
