#include "cuda_runtime_api.h"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/devices.hpp"

// Access between devices.

using namespace lab::sim;

namespace {

cudaError_t change_access(int peer, bool allowed, cudaError_t no_change) {
  return call([&] {
    const int own = current_device();
    if (!is_device(peer) || peer == own) return cudaErrorInvalidDevice;
    if (can_access(own, peer) == allowed) return no_change;
    let_access(own, peer, allowed);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call([&] {
    if (!can) return cudaErrorInvalidValue;
    if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
    return *can = device != peer, cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return report(cudaErrorInvalidValue);
  return change_access(peer, true, cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) { return change_access(peer, false, cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return call([&] {
    if (!value || attribute < cudaDevP2PAttrPerformanceRank || attribute > cudaDevP2PAttrCudaArrayAccessSupported)
      return cudaErrorInvalidValue;
    if (!is_device(from) || !is_device(to) || from == to) return cudaErrorInvalidDevice;
    return *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1, cudaSuccess;
  });
}
