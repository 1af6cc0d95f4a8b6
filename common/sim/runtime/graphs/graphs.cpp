#include "sim/runtime/graphs/graphs.hpp"

#include <algorithm>

#include "sim/runtime/errors/errors.hpp"

// Launches of graphs.

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

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = new CUgraph_st{};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return call([&] {
    if (!executable || !graph) return cudaErrorInvalidValue;
    const bool frees = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    *executable = new CUgraphExec_st{std::make_shared<graphs::executable>(graph->steps), graph->parts, frees};
    return (*executable)->graph->order.size() == graph->steps.size() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] {
    if (!executable) return cudaErrorInvalidValue;
    return capture::run_or_keep(
        stream, [graph = executable->graph, parts = executable->parts, frees = executable->frees, stream] {
          if (const cudaError_t used = graphs::begin_again(*graph, frees); used != cudaSuccess) return used;
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
