#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/streams/stream_order.hpp"

namespace lab::sim {

/// A step of a graph: its branch, which is the stream that captured it, and the steps that it follows. Branch 0 is the
/// stream that began the capture.
struct graph_step {
  capture::work action;
  std::size_t branch;
  std::vector<std::size_t> after;
};

/// One capture: the stream that began it, and those that joined it through events.
struct recording {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  std::vector<graph_step> steps = {};  // in program order, which is legal
  std::vector<cudaStream_t> branches = {};
  bool spoiled = false;
  cudaGraph_t into = nullptr;                   // gets the steps; null: a new graph
  std::vector<std::size_t> first_follows = {};  // steps of `into`
};

}  // namespace lab::sim

struct CUstream_st {
  bool blocking = true;  // waits for the legacy stream
  std::shared_ptr<lab::sim::recording> captures;
  std::size_t unjoined = 0;               // captured steps that the origin does not wait for yet
  std::vector<std::size_t> follows = {};  // the captured steps that its next one follows
  std::uint32_t timeline = 0;
  int priority = 0, device = 0;
  cudaLaunchAttributeValue window = {}, policy = {};  // attributes without an effect
  const void* made_at = nullptr;                      // in host code
};

struct CUevent_st {
  bool timed, recorded;
  std::chrono::steady_clock::time_point at = {};
  std::shared_ptr<lab::sim::recording> captured = {};
  cudaStream_t stream = nullptr;
  std::vector<std::size_t> follows = {};  // captured steps
  lab::sim::order::clock stands_for = {};
  const void* made_at = nullptr;  // in host code
};

namespace lab::sim {

/// Whether this is a stream, built-in or created; or an event.
bool known(cudaStream_t stream);
bool known(cudaEvent_t event);
inline bool built_in(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
/// What a refused call says of an unknown handle.
constexpr auto does_not_exist = " does not exist: no call has created it, or it is destroyed already";
void register_handle(cudaStream_t stream);
void register_handle(cudaEvent_t event);
bool unregister_handle(cudaStream_t stream);
bool unregister_handle(cudaEvent_t event);
/// Every stream or event that was created and not destroyed.
std::vector<cudaStream_t> created_streams();
std::vector<cudaEvent_t> created_events();

namespace capture {
/// Recording an event and waiting for it carry a capture from stream to stream.
void record(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait(cudaStream_t stream, cudaEvent_t event);
}  // namespace capture

}  // namespace lab::sim
