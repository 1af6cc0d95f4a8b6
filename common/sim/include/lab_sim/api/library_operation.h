#pragma once

#include "cuda_runtime_api.h"

// Work of a library, such as Thrust, that runs on the host in place of kernels.

namespace lab_sim {

extern __thread unsigned library_depth __attribute__((tls_model("initial-exec")));

/// Adds the work to the stream and opens device memory to this OS thread's host code. What this code reads and writes
/// there counts as the work's. Returns an error, and opens nothing, if earlier work has failed or the stream captures.
cudaError_t library_begins(cudaStream_t stream);
/// Closes device memory again. `waits`: the host waits for the stream, as CUDA's version of the call does.
void library_ends(cudaStream_t stream, bool waits);

/// While one exists, this OS thread does work of a library. They may nest; the outermost one decides.
class library_operation {
 public:
  explicit library_operation(cudaStream_t stream, bool waits = true) : stream_{stream}, waits_{waits} {
    if (library_depth++ == 0) error_ = library_begins(stream);
  }
  library_operation(const library_operation&) = delete;
  library_operation& operator=(const library_operation&) = delete;
  ~library_operation() {
    if (--library_depth == 0 && error_ == cudaSuccess) library_ends(stream_, waits_);
  }
  cudaError_t error() const { return error_; }

 private:
  cudaStream_t stream_;
  bool waits_;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace lab_sim
