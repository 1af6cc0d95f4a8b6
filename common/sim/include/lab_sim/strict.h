#pragma once

#include <stdlib.h>

#include "../cuda_runtime_api.h"

// For clang's own CUDA front end, which checks a source and makes nothing of it.

// These belong to the host and to the device, one each; clang's <new> wants them before it is read.
extern "C" {
__attribute__((device)) void* malloc(size_t bytes);
__attribute__((device)) void free(void* pointer);
__attribute__((device)) int abs(int x);
__attribute__((device)) long labs(long x);
__attribute__((device)) long long llabs(long long x);
}
#include <new>
#include <type_traits>
#include <utility>

// What clang makes of kernel<<<grid, block, shared, stream>>>.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
