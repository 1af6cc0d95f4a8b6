#include <algorithm>

#include "sim/runtime/api/memory_pools.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/graphs/graphs.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"

// Nodes that make and free memory, and how much memory graphs use.

using namespace lab::sim;

namespace lab::sim::graphs {

bool allocates(const std::vector<graph_step>& steps) {
  return std::ranges::any_of(steps, [](const graph_step& s) { return s.allocates != nullptr; });
}

cudaError_t begin_again(const executable& graph, bool frees) {
  for (const auto& s : graph.steps) {
    if (!s.allocates || !find(s.allocates)) continue;
    if (!frees) {
      set_detail(hazard_kind::launch_error,
                 "the graph was launched again before the memory that its last launch allocated was freed");
      return cudaErrorInvalidValue;
    }
    graph_memory::free_again(s.allocates);
  }
  return cudaSuccess;
}

namespace {

bool is_right(const cudaMemAllocNodeParams* what) {
  return what && what->bytesize > 0 && what->poolProps.allocType == cudaMemAllocationTypePinned &&
         what->poolProps.location.type == cudaMemLocationTypeDevice && is_device(what->poolProps.location.id);
}

cudaError_t add_allocation(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                           cudaMemAllocNodeParams* what, const void* pc) {
  if (!is_right(what)) return cudaErrorInvalidValue;
  void* const address = reserve(what->bytesize, "cudaGraphAddMemAllocNode");
  if (!address) return cudaErrorMemoryAllocation;
  const cudaError_t added = add_node(node, graph, after, count, cudaGraphNodeTypeMemAlloc,
                                     graph_memory::creation(address, what->bytesize, pc), address);
  if (added != cudaSuccess) return added;
  what->dptr = address;
  (*node)->memory = *what;
  return cudaSuccess;
}

cudaError_t add_free(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                     void* pointer, const void* pc) {
  if (!pointer) return cudaErrorInvalidValue;
  const auto free = [=] { return graph_memory::free_in(nullptr, pointer, pc); };
  const cudaError_t added = add_node(node, graph, after, count, cudaGraphNodeTypeMemFree, free);
  if (added == cudaSuccess) (*node)->memory.dptr = pointer;
  return added;
}

// The attributes in the order of cudaGraphMemAttributeType.
constexpr cudaMemPoolAttr of_pool[] = {cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh,
                                       cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh};

template <class Action>
cudaError_t with_attribute(int device, cudaGraphMemAttributeType attribute, const void* value, Action action) {
  return call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const bool known = attribute >= cudaGraphMemAttrUsedMemCurrent && attribute <= cudaGraphMemAttrReservedMemHigh;
    return known && value ? action(of_pool[attribute]) : cudaErrorInvalidValue;
  });
}

}  // namespace

}  // namespace lab::sim::graphs

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* what) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return graphs::add_allocation(node, graph, after, count, what, pc); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return graphs::add_free(node, graph, after, count, pointer, pc); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* what) {
  return call([&] {
    if (!node || !what || node->type != cudaGraphNodeTypeMemAlloc) return cudaErrorInvalidValue;
    *what = node->memory;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return call([&] {
    if (!node || !pointer || node->type != cudaGraphNodeTypeMemFree) return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = node->memory.dptr;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return graphs::with_attribute(device, attribute, value, [&](auto a) { return pools::read_of_graphs(a, value); });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return graphs::with_attribute(device, attribute, value, [&](auto a) { return pools::write_of_graphs(a, value); });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
