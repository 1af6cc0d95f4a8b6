#include <algorithm>
#include <atomic>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/graphs/graphs.hpp"

// Conditional nodes. A body is a graph of its own, to which the program adds nodes after it has made the node.

using namespace lab::sim;

namespace lab::sim::graphs {

/// The value that kernels set; a handle is its address.
struct condition {
  std::atomic<unsigned> value = 0;
  unsigned by_default = 0;
  bool assigns = false;  // the default, when the graph is launched
};

void assign_defaults(const parts_with_conditions& parts) {
  for (const auto& c : parts.conditions)
    if (c->assigns) c->value = c->by_default;
  for (const auto& b : parts.bodies) assign_defaults(b->parts);
}

namespace {

cudaError_t run_body(const CUgraph_st& body) {
  executable whole{body.steps};
  return whole.order.size() == body.steps.size() ? run(whole, nullptr) : cudaErrorInvalidValue;
}

cudaError_t run_chosen(cudaGraphConditionalNodeType type, const condition& when, const bodies& all) {
  const auto run_one = [&](std::size_t i) { return i < all.size() ? run_body(*all[i]) : cudaSuccess; };
  if (type == cudaGraphCondTypeSwitch) return run_one(when.value);
  if (type == cudaGraphCondTypeIf) return run_one(when.value != 0 ? 0 : 1);
  while (when.value != 0)
    if (const cudaError_t failed = run_one(0); failed != cudaSuccess) return failed;
  return cudaSuccess;
}

// The graph's condition of this handle, also of a graph in which this one is a body.
std::shared_ptr<condition> condition_of(const CUgraph_st& graph, cudaGraphConditionalHandle handle) {
  for (const auto* g = &graph; g; g = g->parts.outer)
    for (const auto& c : g->parts.conditions)
      if (reinterpret_cast<std::uintptr_t>(c.get()) == handle) return c;
  return nullptr;
}

bool is_right(const cudaConditionalNodeParams& what) {
  switch (what.type) {
    case cudaGraphCondTypeIf:
      return what.size == 1 || what.size == 2;
    case cudaGraphCondTypeWhile:
      return what.size == 1;
    default:
      return what.type == cudaGraphCondTypeSwitch && what.size > 0;
  }
}

cudaError_t add_conditional(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                            cudaConditionalNodeParams& what) {
  const auto when = graph ? condition_of(*graph, what.handle) : nullptr;
  if (!when || !is_right(what)) return cudaErrorInvalidValue;
  bodies all;
  for (unsigned i = 0; i < what.size; ++i) all.push_back(std::make_shared<CUgraph_st>());
  const auto action = [type = what.type, when, all] { return run_chosen(type, *when, all); };
  const cudaError_t added = add_node(node, graph, after, count, cudaGraphNodeTypeConditional, action);
  if (added != cudaSuccess) return added;
  auto& handles = graph->parts.handles.emplace_back();
  for (const auto& body : all) {
    body->parts.outer = graph;
    graph->parts.bodies.push_back(body);
    handles.push_back(body.get());
  }
  what.phGraph_out = handles.data();
  return cudaSuccess;
}

}  // namespace

}  // namespace lab::sim::graphs

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  return call([&] {
    if (!handle || !graph || flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
    const auto made = std::make_shared<graphs::condition>();
    made->by_default = value;
    made->assigns = flags == cudaGraphCondAssignDefault;
    graph->parts.conditions.push_back(made);
    *handle = reinterpret_cast<std::uintptr_t>(made.get());
    return cudaSuccess;
  });
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  reinterpret_cast<graphs::condition*>(handle)->value = value;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* what) {
  if (edges) return report(cudaErrorNotSupported);
  switch (what ? what->type : cudaGraphNodeTypeEmpty) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphAddKernelNode(node, graph, after, count, &what->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, after, count, &what->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(node, graph, after, count, &what->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(node, graph, after, count, &what->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, after, count, what->graph.graph);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(node, graph, after, count, &what->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, after, count, what->free.dptr);
    case cudaGraphNodeTypeConditional:
      return call([&] { return graphs::add_conditional(node, graph, after, count, what->conditional); });
    default:
      return what ? cudaGraphAddEmptyNode(node, graph, after, count) : report(cudaErrorInvalidValue);
  }
}
