#pragma once

#include "cuda_runtime_api.h"

// Nothing profiles by these: a traced program is profiled whole.
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
