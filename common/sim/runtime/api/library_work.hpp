#pragma once

#include <functional>
#include <vector>

#include "cuda_runtime_api.h"

// Calls of libraries such as cuBLAS, which the host does in place of kernels.

namespace lab::sim {

/// Memory that a call accesses: rows of `bytes`, `pitch` bytes apart.
struct library_memory {
  const void* begin;
  std::size_t bytes;
  bool writes;
  std::size_t rows = 1, pitch = 0;
};

/// The function of a library that the program calls, at this place in host code.
struct library_call {
  const char* name;
  const void* pc;
};

/// Does the work in its stream, or keeps it for the graph that the stream captures. Memory that a kernel must not
/// access is a fault, as on a device.
cudaError_t do_library_work(const library_call& call, cudaStream_t stream, const std::vector<library_memory>& memory,
                            const std::function<void()>& work);
/// The host waits for what it has done in the stream.
void wait_for_library(cudaStream_t stream);
bool captures(cudaStream_t stream);
/// Tells the user of something that a library does not have here.
void say_unsupported(const library_call& call, const char* what);

}  // namespace lab::sim
