#include <algorithm>
#include <utility>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/graphs/graphs.hpp"

// Captures: they begin and end, tell what they are, and follow nodes that the program adds to their graph.

using namespace lab::sim;

namespace {

bool is_captured(cudaStream_t stream) { return known(stream) && !built_in(stream) && stream->captures; }

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

// A capture that failed leaves a graph that existed before it as it was.
void undo(const recording& all) {
  if (all.made) return;
  all.graph->steps.resize(all.first_step);
  if (all.graph->nodes.size() > all.first_step) all.graph->nodes.resize(all.first_step);
}

cudaError_t begin_capture(cudaStream_t stream, recording all, std::vector<std::size_t> follows) {
  if (!known(stream)) return cudaErrorInvalidResourceHandle;
  if (built_in(stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream->captures) return cudaErrorIllegalState;
  all.steps = &all.graph->steps;
  capture::begin(stream, std::move(all), std::move(follows));
  return cudaSuccess;
}

// The steps of these nodes; false if one is not of this graph.
bool steps_of(const cudaGraphNode_t* nodes, std::size_t count, cudaGraph_t graph, std::vector<std::size_t>& steps) {
  if (count > 0 && !nodes) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!nodes[i] || nodes[i]->graph != graph) return false;
    steps.push_back(nodes[i]->step);
  }
  return true;
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  if (!is_captured(stream)) return cudaStreamCaptureStatusNone;
  return stream->captures->spoiled ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

template <class T>
void give(T* to, const T& value) {
  if (to) *to = value;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] {
    const auto made = new CUgraph_st{};
    return begin_capture(stream, {.mode = mode, .graph = made, .made = {made, [](cudaGraph_t g) { delete g; }}}, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode) {
  return call([&] {
    std::vector<std::size_t> follows;
    if (edges) return cudaErrorNotSupported;
    if (!graph || !steps_of(after, count, graph, follows)) return cudaErrorInvalidValue;
    return begin_capture(stream, {.mode = mode, .graph = graph}, std::move(follows));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] {
    const auto all = is_captured(stream) ? stream->captures : nullptr;
    if (!known(stream) || built_in(stream) || (!graph && !(all && !all->made))) return cudaErrorInvalidValue;
    if (graph) *graph = nullptr;
    if (!all || all->origin != stream) return cudaErrorStreamCaptureUnmatched;
    const cudaError_t ended = end_capture(*all);
    stream->captures = nullptr;
    if (ended != cudaSuccess) return undo(*all), ended;
    if (graph) *graph = all->graph;
    all->made.release();  // the program owns it now
    return ended;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call([&] {
    if (!status || !known(stream)) return cudaErrorInvalidValue;
    *status = status_of(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** follows,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return call([&] {
    if (!status || !known(stream)) return cudaErrorInvalidValue;
    *status = status_of(stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    auto& all = *stream->captures;
    graphs::name_nodes(all.graph);
    all.follows.clear();
    for (const auto s : stream->follows) all.follows.push_back(all.graph->nodes[s].get());
    give(id, all.id);
    give(graph, all.graph);
    give<const cudaGraphNode_t*>(follows, all.follows.data());
    give<const cudaGraphEdgeData*>(edges, nullptr);
    give(count, all.follows.size());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, size_t count, unsigned flags) {
  return call([&] {
    if (edges) return cudaErrorNotSupported;
    if (!known(stream) || flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    if (!is_captured(stream)) return cudaErrorIllegalState;
    auto follows = flags == cudaStreamAddCaptureDependencies ? stream->follows : std::vector<std::size_t>{};
    if (!steps_of(nodes, count, stream->captures->graph, follows)) return cudaErrorInvalidValue;
    std::ranges::sort(follows);
    follows.erase(std::unique(follows.begin(), follows.end()), follows.end());
    stream->follows = std::move(follows);
    return cudaSuccess;
  });
}
