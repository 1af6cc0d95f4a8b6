#pragma once

#include <functional>

#include "cuda_runtime_api.h"

// Work that a stream captures for a graph instead of doing it.

namespace lab::sim::capture {

using work = std::function<cudaError_t()>;

/// Keeps what `make` returns when the stream captures; an error when work in the stream would spoil a capture.
enum class route { now, kept, refused };
route decide(cudaStream_t stream, cudaError_t& why);
void keep(cudaStream_t stream, work w);

/// Does the work, or keeps it for the graph.
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

/// For calls that wait for the device: an error, which spoils the capture, while any stream captures.
cudaError_t forbids_waiting();

}  // namespace lab::sim::capture
