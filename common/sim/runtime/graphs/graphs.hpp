#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/runtime/streams/streams.hpp"

// Graphs: their steps, and what cudaGraphInstantiate makes of them.

struct CUgraphNode_st {
  cudaGraph_t graph;
  std::size_t step;
  std::optional<cudaGraphNodeType> type;  // of a node that was not captured
};

struct CUgraph_st {
  std::vector<lab::sim::graph_step> steps;
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};  // of the steps, in their order
};

namespace lab::sim::graphs {

/// An executable graph, which outlives its handle if another graph launches it.
struct executable {
  explicit executable(const std::vector<graph_step>& all);
  executable(const executable&) = delete;
  executable& operator=(const executable&) = delete;
  ~executable();
  std::vector<graph_step> steps;
  std::vector<std::size_t> order;          // each step follows those that it depends on
  std::vector<std::uint32_t> timelines{};  // of its branches but the first
  order::clock finished{};                 // its last launch, which the next one follows
};

/// Does the steps. Those of branch 0 run in the stream of the launch, which waits for all branches at the end.
cudaError_t run(executable& graph, cudaStream_t stream);

}  // namespace lab::sim::graphs

struct CUgraphExec_st {
  std::shared_ptr<lab::sim::graphs::executable> graph;
};
