#include "sim/runtime/graphs/graphs.hpp"

#include <algorithm>

#include "sim/runtime/errors/errors.hpp"

// Captures and launches of graphs.

using namespace lab::sim;

namespace lab::sim::graphs {

namespace {

std::vector<std::size_t> in_order(const std::vector<graph_step>& steps) {
  std::vector<std::size_t> order;
  std::vector<bool> done(steps.size());
  const auto ready = [&](std::size_t s) {
    return !done[s] && std::ranges::all_of(steps[s].after, [&](std::size_t earlier) { return done[earlier]; });
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t s = 0; s < steps.size(); ++s)
      if (ready(s)) order.push_back(s), done[s] = more = true;
  }
  return order;
}

std::uint32_t timeline_of_branch(executable& graph, std::size_t branch, std::uint32_t first) {
  if (branch == 0) return first;
  while (graph.timelines.size() < branch)
    graph.timelines.push_back(
        order::make_timeline("branch " + std::to_string(graph.timelines.size() + 2) + " of a graph"));
  return graph.timelines[branch - 1];
}

}  // namespace

executable::executable(const std::vector<graph_step>& all) : steps{all}, order{in_order(all)} {}
executable::~executable() {
  for (const auto t : timelines) order::drop_timeline(t);
}

cudaError_t run(executable& graph, cudaStream_t stream) {
  const auto first = order::timeline_of(stream);
  auto begin = order::recorded(stream);
  order::join(begin, graph.finished);
  std::vector<order::clock> done(graph.steps.size());
  for (const auto s : graph.order) {
    const auto& step = graph.steps[s];
    auto follows = begin;
    for (const auto earlier : step.after) order::join(follows, done[earlier]);
    const order::in_timeline here{timeline_of_branch(graph, step.branch, first), follows};
    if (const cudaError_t failed = step.action(); failed != cudaSuccess) return failed;
    done[s] = order::recorded(stream);
  }
  for (const auto& d : done) order::join(graph.finished, d);
  const order::in_timeline whole{first, graph.finished};
  return cudaSuccess;
}

}  // namespace lab::sim::graphs

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
    *executable = new CUgraphExec_st{std::make_shared<graphs::executable>(graph->steps)};
    return (*executable)->graph->order.size() == graph->steps.size() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] {
    if (!executable) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [graph = executable->graph, stream] {
      const cudaError_t failed = graphs::run(*graph, stream);
      return failed == faulted() ? cudaSuccess : failed;
    });
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] { return executable && known(stream) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return report(graph ? sticky() : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return report(executable ? sticky() : cudaErrorInvalidValue);
}
