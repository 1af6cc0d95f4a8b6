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

// The captured steps become steps of a graph that exists, in branches of their own.
void append(recording& all) {
  auto& steps = all.into->steps;
  const std::size_t first = steps.size();
  std::size_t branches = 0;
  for (const auto& s : steps) branches = std::max(branches, s.branch + 1);
  for (auto& s : all.steps) {
    for (auto& earlier : s.after) earlier += first;
    if (s.after.empty()) s.after = all.first_follows;
    s.branch += branches;
    steps.push_back(std::move(s));
  }
}

cudaError_t begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                          std::vector<std::size_t> follows) {
  if (!known(stream)) return cudaErrorInvalidResourceHandle;
  if (built_in(stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream->captures) return cudaErrorIllegalState;
  stream->follows.clear();
  stream->captures = std::make_shared<recording>(recording{
      .origin = stream, .mode = mode, .branches = {stream}, .into = into, .first_follows = std::move(follows)});
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] { return begin_capture(stream, mode, nullptr, {}); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode) {
  return call([&] {
    if (edges) return cudaErrorNotSupported;
    if (!graph || (count > 0 && !after)) return cudaErrorInvalidValue;
    std::vector<std::size_t> follows;
    for (size_t i = 0; i < count; ++i) {
      if (!after[i] || after[i]->graph != graph) return cudaErrorInvalidValue;
      follows.push_back(after[i]->step);
    }
    return begin_capture(stream, mode, graph, std::move(follows));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] {
    const auto all = known(stream) && !built_in(stream) ? stream->captures : nullptr;
    if (!known(stream) || built_in(stream) || (!graph && !(all && all->into))) return cudaErrorInvalidValue;
    if (graph) *graph = nullptr;
    if (!all || all->origin != stream) return cudaErrorStreamCaptureUnmatched;
    const cudaError_t ended = end_capture(*all);
    stream->captures = nullptr;
    if (ended != cudaSuccess) return ended;
    if (all->into) append(*all);
    if (graph) *graph = all->into ? all->into : new CUgraph_st{std::move(all->steps)};
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
    *executable = new CUgraphExec_st{std::make_shared<graphs::executable>(graph->steps), graph->parts};
    return (*executable)->graph->order.size() == graph->steps.size() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] {
    if (!executable) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [graph = executable->graph, parts = executable->parts, stream] {
      graphs::assign_defaults(parts);
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
