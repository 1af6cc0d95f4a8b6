#pragma once

#include "cuda_runtime_api.h"
#include "lab_sim/device.h"
#include "lab_sim/launch.h"

namespace lab::sim {

/// Whether CUDA would start this launch at all; says why not in the error detail.
cudaError_t check_launch(const lab_sim::config& where, const lab_sim::kernel_call& call);

}  // namespace lab::sim
