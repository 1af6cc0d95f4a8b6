#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/streams/streams.hpp"

// Graphs from stream capture. Their steps run in the order in which they were captured.

using namespace lab::sim;

struct CUgraph_st {
  std::vector<graph_step> steps;
};

namespace {

// An executable graph, which outlives its handle if another graph launches it.
struct executable_graph {
  explicit executable_graph(const std::vector<graph_step>& all) : steps{all} {}
  executable_graph(const executable_graph&) = delete;
  executable_graph& operator=(const executable_graph&) = delete;
  ~executable_graph() {
    for (const auto t : timelines) order::drop_timeline(t);
  }
  const std::vector<graph_step> steps;
  std::vector<std::uint32_t> timelines{};  // of its branches but the first
  order::clock finished{};                 // its last launch, which the next one follows
};

}  // namespace

struct CUgraphExec_st {
  std::shared_ptr<executable_graph> graph;
};

namespace {

cudaError_t end_capture(recording& all) {
  bool joined = true;
  for (const auto s : created_streams()) {
    if (s->captures.get() != &all) continue;
    if (s != all.origin && s->unjoined > 0) joined = false;
    if (s != all.origin) s->captures = nullptr;
    s->unjoined = 0;
    s->follows.clear();
  }
  if (all.spoiled) return cudaErrorStreamCaptureInvalidated;
  return joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

std::uint32_t timeline_of_branch(executable_graph& graph, std::size_t branch, std::uint32_t first) {
  if (branch == 0) return first;
  while (graph.timelines.size() < branch)
    graph.timelines.push_back(
        order::make_timeline("branch " + std::to_string(graph.timelines.size() + 2) + " of a graph"));
  return graph.timelines[branch - 1];
}

// The steps of branch 0 run in the stream of the launch, which waits for all branches at the end.
cudaError_t run(executable_graph& graph, cudaStream_t stream) {
  const auto first = order::timeline_of(stream);
  auto begin = order::recorded(stream);
  order::join(begin, graph.finished);
  std::vector<order::clock> done;
  for (const auto& step : graph.steps) {
    auto follows = begin;
    for (const auto earlier : step.after) order::join(follows, done[earlier]);
    const order::in_timeline here{timeline_of_branch(graph, step.branch, first), follows};
    if (const cudaError_t failed = step.action(); failed != cudaSuccess) return failed;
    done.push_back(order::recorded(stream));
  }
  for (const auto& d : done) order::join(graph.finished, d);
  const order::in_timeline whole{first, graph.finished};
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (built_in(stream)) return cudaErrorStreamCaptureUnsupported;
    if (stream->captures) return cudaErrorIllegalState;
    stream->follows.clear();
    stream->captures = std::make_shared<recording>(recording{.origin = stream, .mode = mode, .branches = {stream}});
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
    *executable = new CUgraphExec_st{std::make_shared<executable_graph>(graph->steps)};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] {
    if (!executable) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [graph = executable->graph, stream] {
      const cudaError_t failed = run(*graph, stream);
      return failed == faulted() ? cudaSuccess : failed;
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
