#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/runtime/streams/stream_capture.hpp"

namespace lab::sim {

/// One capture, of the stream that began it and of those that joined it over events.
struct recording {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  std::vector<capture::work> steps;  // in the order of the program, which is a legal one
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
  std::uint64_t moment = 0;  // of the record
};

namespace lab::sim {

/// Is this a stream, also one of the built-in ones; or an event?
bool known(cudaStream_t stream);
bool known(cudaEvent_t event);
inline bool built_in(cudaStream_t s) { return !s || s == cudaStreamLegacy || s == cudaStreamPerThread; }
void enlist_handle(cudaStream_t stream);
void enlist_handle(cudaEvent_t event);
bool strike_handle(cudaStream_t stream);
bool strike_handle(cudaEvent_t event);
/// Every stream that was made and not destroyed.
std::vector<cudaStream_t> made_streams();

namespace capture {
/// In a capture, an event's record and wait carry the capture from stream to stream.
void record(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait(cudaStream_t stream, cudaEvent_t event);
}  // namespace capture

}  // namespace lab::sim
