#pragma once

#include <functional>

#include "cuda_runtime_api.h"

// Stream capture: work is recorded for a graph instead of being done.

namespace lab::sim::capture {

using work = std::function<cudaError_t()>;

/// What to do with work in a stream: do it now, keep it for the graph, or refuse it because it invalidates a capture.
enum class route { now, kept, refused };
route decide(cudaStream_t stream, cudaError_t& why);
/// A step may make memory, whose address is known before.
void keep(cudaStream_t stream, work step, void* allocates = nullptr);

/// Does the work now, or keeps what `make` returns for the graph.
template <class Make, class Do>
cudaError_t run_or_keep(cudaStream_t stream, Make make, Do action) {
  cudaError_t why = cudaSuccess;
  switch (decide(stream, why)) {
    case route::kept:
      keep(stream, make());
      return cudaSuccess;
    case route::refused:
      return why;
    case route::now:
      break;
  }
  return action();
}

template <class Do>
cudaError_t run_or_keep(cudaStream_t stream, Do action) {
  return run_or_keep(
      stream, [&] { return work{action}; }, action);
}

/// For calls that wait for the device: an error while any stream captures. It also invalidates the capture.
cudaError_t forbids_waiting();

}  // namespace lab::sim::capture
