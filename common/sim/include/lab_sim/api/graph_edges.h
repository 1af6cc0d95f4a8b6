#pragma once

// Questions about the edges of a graph. Lists may be null: then only their lengths are told. The data of an edge are
// zeros.

enum { cudaGraphDebugDotFlagsVerbose = 1 };

extern "C" {
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* earlier, cudaGraphEdgeData* data,
                                         size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later, cudaGraphEdgeData* data,
                                           size_t* count);
/// Writes the graph as a picture for Graphviz.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* earlier, size_t* count) {
  return cudaGraphNodeGetDependencies(node, earlier, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later, size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, later, nullptr, count);
}
