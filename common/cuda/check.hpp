#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace lab::cuda {

/// A call of the CUDA runtime failed.
struct error : std::runtime_error {
  error(cudaError_t status, const char* call, const std::source_location& where)
      : std::runtime_error(std::string{cudaGetErrorName(status)} + " (" + cudaGetErrorString(status) + ") in " + call +
                           " at " + where.file_name() + ":" + std::to_string(where.line())),
        code{status} {}
  cudaError_t code;
};

/// Throws `error` if the call failed: check(cudaMalloc(&data, bytes), "cudaMalloc").
inline void check(cudaError_t status, const char* call,
                  const std::source_location& where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that a later call does not report it
  throw error(status, call, where);
}

}  // namespace lab::cuda
