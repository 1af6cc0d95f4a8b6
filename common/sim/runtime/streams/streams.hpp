#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/runtime/streams/stream_capture.hpp"

namespace lab::sim {

/// One capture: the stream that began it, and those that joined it through events.
struct recording {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  std::vector<capture::work> steps;  // in program order, which is legal
  bool spoiled = false;
};

}  // namespace lab::sim

struct CUstream_st {
  bool blocking = true;  // waits for the legacy stream
  std::shared_ptr<lab::sim::recording> captures;
  std::size_t unjoined = 0;  // captured steps that the origin does not wait for yet
};

struct CUevent_st {
  bool timed, recorded;
  std::chrono::steady_clock::time_point at;
  std::shared_ptr<lab::sim::recording> captured;
  cudaStream_t stream = nullptr;
  std::uint64_t moment = 0;  // when it was recorded
};

namespace lab::sim {

/// Whether this is a stream, built-in or created; or an event.
bool known(cudaStream_t stream);
bool known(cudaEvent_t event);
inline bool built_in(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
void register_handle(cudaStream_t stream);
void register_handle(cudaEvent_t event);
bool unregister_handle(cudaStream_t stream);
bool unregister_handle(cudaEvent_t event);
/// Every stream that was created and not destroyed.
std::vector<cudaStream_t> created_streams();

namespace capture {
/// Recording an event and waiting for it carry a capture from stream to stream.
void record(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait(cudaStream_t stream, cudaEvent_t event);
}  // namespace capture

}  // namespace lab::sim
