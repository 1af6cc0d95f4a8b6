#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/streams/streams.hpp"

// Attributes of streams. They are kept, and none changes what the simulator does.

using namespace lab::sim;

namespace {

template <class Action>
cudaError_t with_stream(cudaStream_t stream, Action action) {
  return call([&] {
    if (!known(stream) || built_in(stream)) return cudaErrorInvalidResourceHandle;
    return action(*stream);
  });
}

}  // namespace

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value) {
  return with_stream(stream, [&](CUstream_st& s) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaStreamAttributeAccessPolicyWindow:
        return s.window = *value, cudaSuccess;
      case cudaStreamAttributeSynchronizationPolicy:
        return s.policy = *value, cudaSuccess;
      case cudaStreamAttributePriority:
        return s.priority = value->priority, cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
  return with_stream(stream, [&](const CUstream_st& s) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaStreamAttributeAccessPolicyWindow:
        return *value = s.window, cudaSuccess;
      case cudaStreamAttributeSynchronizationPolicy:
        return *value = s.policy, cudaSuccess;
      case cudaStreamAttributePriority:
        return value->priority = s.priority, cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream(to, [&](CUstream_st& target) {
    if (!known(from) || built_in(from)) return cudaErrorInvalidResourceHandle;
    target.window = from->window;
    target.policy = from->policy;
    target.priority = from->priority;
    return cudaSuccess;
  });
}
