#pragma once

#include "cuda_runtime_api.h"

// What belongs to which memory pool.

namespace lab::sim::pools {

bool exists(cudaMemPool_t pool);
/// A null pool is the device's current one.
void allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes);
void freed(const void* pointer);

}  // namespace lab::sim::pools
