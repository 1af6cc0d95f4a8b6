#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/streams/stream_order.hpp"

namespace lab::sim {

/// A step of a graph: its branch, which is the stream that captured it, and the steps that it follows. Branch 0 of a
/// graph that is captured whole is the stream that began the capture.
struct graph_step {
  capture::work action;
  std::size_t branch;
  std::vector<std::size_t> after;
  void* allocates = nullptr;  // the memory that this step makes
};

/// One capture: the stream that began it, and those that joined it through events.
struct recording {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = {};
  std::vector<graph_step>* steps = nullptr;  // those of the graph, which gets more in program order
  std::map<cudaStream_t, std::size_t> branches = {};
  bool spoiled = false;
  cudaGraph_t graph = nullptr;
  std::unique_ptr<CUgraph_st, void (*)(cudaGraph_t)> made = {nullptr, nullptr};  // the same, if the capture makes it
  std::size_t first_step = 0;                                                    // the graph had so many before
  unsigned long long id = 0;
  std::vector<cudaGraphNode_t> follows = {};  // as the program has asked for them
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
/// A stream begins to capture steps for the graph of `all`. The first ones follow these.
void begin(cudaStream_t stream, recording all, std::vector<std::size_t> follows);
/// Whether a capture cannot go on without this stream: it began it, or has work that no other stream waits for.
bool needs(cudaStream_t stream);
/// Recording an event and waiting for it carry a capture from stream to stream.
void record(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait(cudaStream_t stream, cudaEvent_t event);
}  // namespace capture

}  // namespace lab::sim
