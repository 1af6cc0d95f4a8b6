#include <algorithm>
#include <fstream>
#include <utility>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/graphs/graphs.hpp"

// Questions about the edges of a graph.

using namespace lab::sim;

namespace {

using edge = std::pair<cudaGraphNode_t, cudaGraphNode_t>;  // from the earlier node to the later one

template <class Wanted>
std::vector<edge> edges_of(cudaGraph_t graph, Wanted wanted) {
  graphs::name_nodes(graph);
  std::vector<edge> found;
  for (std::size_t later = 0; later < graph->steps.size(); ++later)
    for (const auto earlier : graph->steps[later].after)
      if (wanted(earlier, later)) found.emplace_back(graph->nodes[earlier].get(), graph->nodes[later].get());
  return found;
}

// Fills lists of the program, which hold *count nodes and may be null.
cudaError_t give(const std::vector<edge>& found, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                 std::size_t* count) {
  for (std::size_t i = 0; (from || to) && i < *count; ++i) {
    if (from) from[i] = i < found.size() ? found[i].first : nullptr;
    if (to) to[i] = i < found.size() ? found[i].second : nullptr;
    if (data) data[i] = {};
  }
  *count = from || to ? std::min(*count, found.size()) : found.size();
  return cudaSuccess;
}

const char* word(std::optional<cudaGraphNodeType> type) {
  constexpr const char* words[] = {"kernel", "copy", "fill", "host function", "graph", "empty"};
  if (!type) return "captured";
  switch (*type) {
    case cudaGraphNodeTypeMemAlloc:
      return "allocation";
    case cudaGraphNodeTypeMemFree:
      return "end of an allocation";
    case cudaGraphNodeTypeConditional:
      return "condition";
    default:
      return words[*type];
  }
}

}  // namespace

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count) {
  return call([&] {
    if (!graph || !count || (from != nullptr) != (to != nullptr)) return cudaErrorInvalidValue;
    return give(edges_of(graph, [](auto, auto) { return true; }), from, to, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* earlier, cudaGraphEdgeData* data,
                                         size_t* count) {
  return call([&] {
    if (!node || !count) return cudaErrorInvalidValue;
    return give(edges_of(node->graph, [&](auto, auto later) { return later == node->step; }), earlier, nullptr, data,
                count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later, cudaGraphEdgeData* data,
                                           size_t* count) {
  return call([&] {
    if (!node || !count) return cudaErrorInvalidValue;
    return give(edges_of(node->graph, [&](auto earlier, auto) { return earlier == node->step; }), nullptr, later, data,
                count);
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return call([&] {
    if (!graph || !path) return cudaErrorInvalidValue;
    const auto edges = edges_of(graph, [](auto, auto) { return true; });
    std::ofstream out{path};
    out << "digraph graph_of_cuda {\n";
    for (const auto& node : graph->nodes)
      out << "  n" << node->step << " [label=\"" << node->step << " " << word(node->type) << "\"];\n";
    for (const auto& [from, to] : edges) out << "  n" << from->step << " -> n" << to->step << ";\n";
    out << "}\n";
    return out.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
