#include <algorithm>
#include <string>

#include "sim/runtime/api/copy_rows.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/graphs/graphs.hpp"

// Graphs that a program makes node by node. A node is one step, which is captured from a call in a stream of its own.

using namespace lab::sim;
using capture::work;
using nodes_before = std::vector<std::size_t>;

namespace {

// What the calls in `calls` keep for a graph.
template <class Calls>
cudaError_t captured(Calls calls, work& step) {
  std::vector<graph_step> steps;
  CUstream_st stream{.blocking = false, .captures = {}};
  capture::begin(&stream, {.steps = &steps}, {});
  register_handle(&stream);
  const cudaError_t refused = calls(&stream);
  unregister_handle(&stream);
  if (refused != cudaSuccess || steps.size() != 1) return refused == cudaSuccess ? cudaErrorInvalidValue : refused;
  step = std::move(steps[0].action);
  return cudaSuccess;
}

cudaError_t kernel_step(const cudaKernelNodeParams* what, work& step) {
  if (!what || !what->func || what->extra) return cudaErrorInvalidValue;
  return captured(
      [&](cudaStream_t s) {
        return cudaLaunchKernel(what->func, what->gridDim, what->blockDim, what->kernelParams, what->sharedMemBytes, s);
      },
      step);
}

cudaError_t copy_step(const cudaMemcpy3DParms* what, work& step) {
  return captured([&](cudaStream_t s) { return cudaMemcpy3DAsync(what, s); }, step);
}

cudaError_t copy_step(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, work& step) {
  return captured([&](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, kind, s); }, step);
}

cudaError_t fill_step(const cudaMemsetParams* what, const void* pc, work& step) {
  const auto size = what ? what->elementSize : 0;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  const std::size_t width = what->width * size;
  step = [=, p = *what] {
    return fill_rows(p.dst, p.height > 1 ? p.pitch : width, static_cast<int>(p.value), width, p.height, {nullptr, pc},
                     size);
  };
  return cudaSuccess;
}

cudaError_t host_step(const cudaHostNodeParams* what, work& step) {
  if (!what) return cudaErrorInvalidValue;
  return captured([&](cudaStream_t s) { return cudaLaunchHostFunc(s, what->fn, what->userData); }, step);
}

// A node goes on with the branch of a node that it follows, if no other does; nodes of different branches have no
// order.
std::size_t branch_of(const CUgraph_st& graph, const nodes_before& after) {
  std::size_t branches = 0;
  for (const auto& s : graph.steps) branches = std::max(branches, s.branch + 1);
  for (const auto earlier : after) {
    const auto mine = graph.steps[earlier].branch;
    const auto last = std::find_if(graph.steps.rbegin(), graph.steps.rend(), [&](auto& s) { return s.branch == mine; });
    if (graph.steps.rend() - last - 1 == static_cast<std::ptrdiff_t>(earlier)) return mine;
  }
  return branches;
}

}  // namespace

void graphs::name_nodes(cudaGraph_t graph) {
  while (graph->nodes.size() < graph->steps.size())
    graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{graph, graph->nodes.size(), {}}));
}

cudaError_t graphs::add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                             cudaGraphNodeType type, work step, void* allocates) {
  if (!node || !graph || (count > 0 && !after)) return cudaErrorInvalidValue;
  nodes_before earlier;
  for (size_t i = 0; i < count; ++i) {
    if (!after[i] || after[i]->graph != graph) return cudaErrorInvalidValue;
    earlier.push_back(after[i]->step);
  }
  name_nodes(graph);
  graph->steps.push_back({std::move(step), branch_of(*graph, earlier), earlier, allocates});
  name_nodes(graph);
  *node = graph->nodes.back().get();
  (*node)->type = type;
  return cudaSuccess;
}

namespace {

using graphs::add_node;
using graphs::name_nodes;

// Replaces what a node of an executable graph does.
cudaError_t replace_step(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type, work step) {
  if (!executable || !node || node->type.value_or(type) != type || node->step >= executable->graph->steps.size())
    return cudaErrorInvalidValue;
  executable->graph->steps[node->step].action = std::move(step);
  return cudaSuccess;
}

// Replaces what a node of a graph does; executable graphs made before do not change.
cudaError_t replace_step(cudaGraphNode_t node, cudaGraphNodeType type, work step) {
  if (!node || node->type != type) return cudaErrorInvalidValue;
  node->graph->steps[node->step].action = std::move(step);
  return cudaSuccess;
}

template <class Make, class Use>
cudaError_t with_step(Make make, Use use) {
  return call([&] {
    work step;
    const cudaError_t refused = make(step);
    return refused == cudaSuccess ? use(std::move(step)) : refused;
  });
}

template <class Wanted>
cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, Wanted wanted) {
  return call([&] {
    if (!graph || !count) return cudaErrorInvalidValue;
    name_nodes(graph);
    size_t found = 0;
    for (const auto& node : graph->nodes) {
      if (!wanted(graph->steps[node->step])) continue;
      if (nodes && found < *count) nodes[found] = node.get();
      ++found;
    }
    for (size_t i = found; nodes && i < *count; ++i) nodes[i] = nullptr;
    *count = nodes ? std::min(*count, found) : found;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* what) {
  return with_step(
      [&](work& step) { return kernel_step(what, step); },
      [&](work step) { return add_node(node, graph, after, count, cudaGraphNodeTypeKernel, std::move(step)); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* what) {
  return with_step(
      [&](work& step) { return copy_step(what, step); },
      [&](work step) { return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return with_step(
      [&](work& step) { return copy_step(to, from, bytes, kind, step); },
      [&](work step) { return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* what) {
  const void* const pc = __builtin_return_address(0);
  return with_step(
      [&](work& step) { return fill_step(what, pc, step); },
      [&](work step) { return add_node(node, graph, after, count, cudaGraphNodeTypeMemset, std::move(step)); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* what) {
  return with_step(
      [&](work& step) { return host_step(what, step); },
      [&](work step) { return add_node(node, graph, after, count, cudaGraphNodeTypeHost, std::move(step)); });
}

// A node keeps the child as it is now.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
  return call([&] {
    if (!child || child == graph) return cudaErrorInvalidValue;
    if (graphs::allocates(child->steps)) return cudaErrorNotSupported;
    const auto whole = std::make_shared<graphs::executable>(child->steps);
    return add_node(node, graph, after, count, cudaGraphNodeTypeGraph,
                    [whole] { return graphs::run(*whole, nullptr); });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  return call([&] { return add_node(node, graph, after, count, cudaGraphNodeTypeEmpty, [] { return cudaSuccess; }); });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what) {
  return with_step([&](work& step) { return kernel_step(what, step); },
                   [&](work step) { return replace_step(node, cudaGraphNodeTypeKernel, std::move(step)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* what) {
  return with_step([&](work& step) { return copy_step(what, step); },
                   [&](work step) { return replace_step(node, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return with_step([&](work& step) { return copy_step(to, from, bytes, kind, step); },
                   [&](work step) { return replace_step(node, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* what) {
  const void* const pc = __builtin_return_address(0);
  return with_step([&](work& step) { return fill_step(what, pc, step); },
                   [&](work step) { return replace_step(node, cudaGraphNodeTypeMemset, std::move(step)); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* what) {
  return with_step([&](work& step) { return host_step(what, step); },
                   [&](work step) { return replace_step(node, cudaGraphNodeTypeHost, std::move(step)); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what) {
  return with_step([&](work& step) { return kernel_step(what, step); },
                   [&](work step) { return replace_step(executable, node, cudaGraphNodeTypeKernel, std::move(step)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* what) {
  return with_step([&](work& step) { return copy_step(what, step); },
                   [&](work step) { return replace_step(executable, node, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  return with_step([&](work& step) { return copy_step(to, from, bytes, kind, step); },
                   [&](work step) { return replace_step(executable, node, cudaGraphNodeTypeMemcpy, std::move(step)); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* what) {
  const void* const pc = __builtin_return_address(0);
  return with_step([&](work& step) { return fill_step(what, pc, step); },
                   [&](work step) { return replace_step(executable, node, cudaGraphNodeTypeMemset, std::move(step)); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* what) {
  return with_step([&](work& step) { return host_step(what, step); },
                   [&](work step) { return replace_step(executable, node, cudaGraphNodeTypeHost, std::move(step)); });
}

// The graph must have the same edges.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  return call([&] {
    if (!executable || !graph) return cudaErrorInvalidValue;
    if (graphs::allocates(graph->steps) || graphs::allocates(executable->graph->steps)) return cudaErrorNotSupported;
    const bool same =
        std::ranges::equal(executable->graph->steps, graph->steps, {}, &graph_step::after, &graph_step::after);
    if (result)
      *result = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!same) return cudaErrorGraphExecUpdateFailure;
    for (std::size_t s = 0; s < graph->steps.size(); ++s) executable->graph->steps[s].action = graph->steps[s].action;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
  return call([&] {
    for (size_t i = 0; i < count; ++i)
      if (!from || !to || !from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) graph->steps[to[i]->step].after.push_back(from[i]->step);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call([&] {
    if (!clone || !graph) return cudaErrorInvalidValue;
    if (graphs::allocates(graph->steps)) return cudaErrorNotSupported;
    *clone = new CUgraph_st{graph->steps, {}, graph->parts};
    name_nodes(*clone);
    for (std::size_t n = 0; n < graph->nodes.size(); ++n) (*clone)->nodes[n]->type = graph->nodes[n]->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list_nodes(graph, nodes, count, [](const graph_step&) { return true; });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list_nodes(graph, nodes, count, [](const graph_step& s) { return s.after.empty(); });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&] {
    if (!node || !type) return cudaErrorInvalidValue;
    if (!node->type) {
      set_detail(hazard_kind::launch_error, "the simulator does not know the types of captured nodes");
      return cudaErrorNotSupported;
    }
    return *type = *node->type, cudaSuccess;
  });
}
