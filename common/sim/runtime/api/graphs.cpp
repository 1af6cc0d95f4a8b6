#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/streams.hpp"

// Graphs from stream capture. Their steps run in the order in which they were captured.

using namespace lab::sim;

struct CUgraph_st {
  std::vector<capture::work> steps;
};
struct CUgraphExec_st {
  std::vector<capture::work> steps;
};

namespace {

cudaError_t end_capture(recording& all) {
  bool joined = true;
  for (const auto s : created_streams()) {
    if (s->captures.get() != &all) continue;
    if (s != all.origin && s->unjoined > 0) joined = false;
    if (s != all.origin) s->captures = nullptr;
    s->unjoined = 0;
  }
  if (all.spoiled) return cudaErrorStreamCaptureInvalidated;
  return joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t run(const std::vector<capture::work>& steps) {
  for (const auto& step : steps)
    if (const cudaError_t failed = step(); failed != cudaSuccess) return failed;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (built_in(stream)) return cudaErrorStreamCaptureUnsupported;
    if (stream->captures) return cudaErrorIllegalState;
    stream->captures = std::make_shared<recording>(recording{stream, mode, {}});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] {
    if (!graph || !known(stream) || built_in(stream)) return cudaErrorInvalidValue;
    *graph = nullptr;
    const auto all = stream->captures;
    if (!all || all->origin != stream) return cudaErrorStreamCaptureUnmatched;
    const cudaError_t ended = end_capture(*all);
    stream->captures = nullptr;
    if (ended == cudaSuccess) *graph = new CUgraph_st{std::move(all->steps)};
    return ended;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call([&] {
    if (!status || !known(stream)) return cudaErrorInvalidValue;
    const bool captures = !built_in(stream) && stream->captures;
    *status = !captures                   ? cudaStreamCaptureStatusNone
              : stream->captures->spoiled ? cudaStreamCaptureStatusInvalidated
                                          : cudaStreamCaptureStatusActive;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = new CUgraph_st{};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call([&] {
    if (!executable || !graph) return cudaErrorInvalidValue;
    *executable = new CUgraphExec_st{graph->steps};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] {
    if (!executable) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [steps = executable->steps, stream] {
      const in_flight::in_stream here{stream};
      return run(steps);
    });
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] { return executable && known(stream) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] {
    if (!graph || !count) return cudaErrorInvalidValue;
    for (std::size_t i = 0; nodes && i < *count; ++i) nodes[i] = nullptr;
    *count = graph->steps.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return report(graph ? sticky() : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return report(executable ? sticky() : cudaErrorInvalidValue);
}
