#pragma once

#include "cuda_runtime_api.h"
#include "sim/runtime/streams/stream_capture.hpp"

// What belongs to which memory pool.

namespace lab::sim::pools {

bool exists(cudaMemPool_t pool);
/// A null pool is the device's current one.
void allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes);
/// The pool of all memory that graphs allocate, which the program does not see.
cudaMemPool_t of_graphs();
cudaError_t read_of_graphs(cudaMemPoolAttr attribute, void* value);
cudaError_t write_of_graphs(cudaMemPoolAttr attribute, const void* value);
void freed(const void* pointer);

}  // namespace lab::sim::pools

// Memory that the steps of a graph make and free.

namespace lab::sim::graph_memory {

/// A step that makes memory at a reserved address.
capture::work creation(void* pointer, std::size_t bytes, const void* pc);
/// Frees memory as an operation of a stream.
cudaError_t free_in(cudaStream_t stream, void* pointer, const void* pc);
/// Frees what the last launch of a graph has left, if it has left it.
void free_again(void* pointer);

}  // namespace lab::sim::graph_memory
