#pragma once

#include <stdlib.h>

#include "../cuda_runtime_api.h"

// For clang's CUDA front end, which only checks a source.

// One of each belongs to the host and one to the device; clang's <new> needs them declared first.
extern "C" {
__attribute__((device)) void* malloc(size_t bytes);
__attribute__((device)) void free(void* pointer);
__attribute__((device)) int abs(int x);
__attribute__((device)) long labs(long x);
__attribute__((device)) long long llabs(long long x);
}
#include <array>  // before <cmath>, which from C++17 on includes parts of it
#include <new>
#include <type_traits>
#include <utility>

// clang turns  kernel<<<grid, block, shared, stream>>>  into a call of this function.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
