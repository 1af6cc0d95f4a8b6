#pragma once

#include "cuda_runtime_api.h"

// These functions do nothing: a traced program is profiled as a whole.
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
