#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "sim/runtime/streams/streams.hpp"

// Graphs: their steps, and what cudaGraphInstantiate makes of them.

struct CUgraphNode_st {
  cudaGraph_t graph;
  std::size_t step;
  std::optional<cudaGraphNodeType> type;  // of a node that was not captured
  cudaMemAllocNodeParams memory = {};     // that it makes or frees
};

namespace lab::sim::graphs {

struct condition;
using bodies = std::vector<std::shared_ptr<CUgraph_st>>;

/// The conditions of a graph and the bodies of its conditional nodes.
struct parts_with_conditions {
  std::vector<std::shared_ptr<condition>> conditions = {};
  graphs::bodies bodies = {};
  std::deque<std::vector<cudaGraph_t>> handles = {};  // of the bodies of each node, as the program gets them
  const CUgraph_st* outer = nullptr;                  // of a body: the graph of its node
};

/// A launch gives the conditions their defaults.
void assign_defaults(const parts_with_conditions& parts);

}  // namespace lab::sim::graphs

struct CUgraph_st {
  std::vector<lab::sim::graph_step> steps = {};
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};  // of the steps, in their order
  lab::sim::graphs::parts_with_conditions parts = {};
};

namespace lab::sim::graphs {

/// Gives captured steps their nodes.
void name_nodes(cudaGraph_t graph);
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                     cudaGraphNodeType type, capture::work step, void* allocates = nullptr);

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

/// Whether the graph makes memory, so that it has one instance.
bool allocates(const std::vector<graph_step>& steps);
/// Before a launch: memory of an earlier launch that is still in use is an error, or is freed.
cudaError_t begin_again(const executable& graph, bool frees);

/// Does the steps. Those of branch 0 run in the stream of the launch, which waits for all branches at the end.
cudaError_t run(executable& graph, cudaStream_t stream);

}  // namespace lab::sim::graphs

struct CUgraphExec_st {
  std::shared_ptr<lab::sim::graphs::executable> graph;
  lab::sim::graphs::parts_with_conditions parts = {};
  bool frees = false;  // before a launch, what the last one has left
};
