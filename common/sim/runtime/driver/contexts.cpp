#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "lab_sim/api/driver_api.h"
#include "sim/runtime/errors/errors.hpp"

// The driver API in terms of the runtime API, whose error numbers are the same. A context is a device's.

using namespace lab::sim;

struct CUctx_st {
  int device;
};

namespace {

CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }
void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

thread_local std::vector<CUcontext> contexts;  // the last one is current

CUresult select_last() { return result(contexts.empty() ? cudaSuccess : cudaSetDevice(contexts.back()->device)); }

CUresult copy_text(const char* text, char* to, int bytes) {
  if (!to || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::strncpy(to, text, static_cast<std::size_t>(bytes) - 1)[bytes - 1] = '\0';
  return CUDA_SUCCESS;
}

template <class Use>
CUresult with_properties(CUdevice device, Use use) {
  cudaDeviceProp properties{};
  const cudaError_t failed = cudaGetDeviceProperties(&properties, device);
  return failed == cudaSuccess ? use(properties) : result(failed);
}

}  // namespace

CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }
CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
#define LAB_SIM_NAMED(error) \
  { error, #error }
  static constexpr std::pair<CUresult, const char*> names[] = {LAB_SIM_NAMED(CUDA_SUCCESS),
                                                               LAB_SIM_NAMED(CUDA_ERROR_INVALID_VALUE),
                                                               LAB_SIM_NAMED(CUDA_ERROR_OUT_OF_MEMORY),
                                                               LAB_SIM_NAMED(CUDA_ERROR_NOT_INITIALIZED),
                                                               LAB_SIM_NAMED(CUDA_ERROR_NO_DEVICE),
                                                               LAB_SIM_NAMED(CUDA_ERROR_INVALID_DEVICE),
                                                               LAB_SIM_NAMED(CUDA_ERROR_INVALID_IMAGE),
                                                               LAB_SIM_NAMED(CUDA_ERROR_INVALID_CONTEXT),
                                                               LAB_SIM_NAMED(CUDA_ERROR_FILE_NOT_FOUND),
                                                               LAB_SIM_NAMED(CUDA_ERROR_INVALID_HANDLE),
                                                               LAB_SIM_NAMED(CUDA_ERROR_NOT_FOUND),
                                                               LAB_SIM_NAMED(CUDA_ERROR_NOT_READY),
                                                               LAB_SIM_NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
                                                               LAB_SIM_NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
                                                               LAB_SIM_NAMED(CUDA_ERROR_LAUNCH_FAILED),
                                                               LAB_SIM_NAMED(CUDA_ERROR_NOT_SUPPORTED)};
#undef LAB_SIM_NAMED
  const auto* const known = std::ranges::find(names, error, [](const auto& n) { return n.first; });
  return *name = known == std::end(names) ? "CUDA_ERROR_UNKNOWN" : known->second, CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  return *text = cudaGetErrorString(static_cast<cudaError_t>(error)), CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  int count = 0;
  const CUresult failed = result(cudaGetDeviceCount(&count));
  if (failed != CUDA_SUCCESS || !device) return failed == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : failed;
  if (ordinal < 0 || ordinal >= count) return CUDA_ERROR_INVALID_DEVICE;
  return *device = ordinal, CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) { return result(cudaGetDeviceCount(count)); }
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& p) { return copy_text(p.name, name, bytes); });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& p) { return *bytes = p.totalGlobalMem, CUDA_SUCCESS; });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t failed = cudaSetDevice(device); failed != cudaSuccess) return result(failed);
  contexts.push_back(*context = new CUctx_st{device});
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (!context || device < 0 || device >= count) return CUDA_ERROR_INVALID_VALUE;
  static auto* const all = new std::map<CUdevice, CUctx_st>;
  return *context = &all->emplace(device, CUctx_st{device}).first->second, CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxDestroy(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  std::erase(contexts, context);
  delete context;
  return select_last();
}
CUresult cuCtxSetCurrent(CUcontext context) {
  if (!contexts.empty()) contexts.pop_back();
  if (context) contexts.push_back(context);
  return select_last();
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  return *context = contexts.empty() ? nullptr : contexts.back(), CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  contexts.push_back(context);
  return select_last();
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = contexts.back();
  contexts.pop_back();
  return select_last();
}
CUresult cuCtxGetDevice(CUdevice* device) { return result(cudaGetDevice(device)); }
CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  if (!pointer || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* made = nullptr;
  const cudaError_t failed = cudaMalloc(&made, bytes);
  return *pointer = reinterpret_cast<CUdeviceptr>(made), result(failed);
}
CUresult cuMemFree(CUdeviceptr pointer) { return result(cudaFree(pointer_to(pointer))); }
CUresult cuMemGetInfo(size_t* available, size_t* total) { return result(cudaMemGetInfo(available, total)); }
CUresult cuMemAllocHost(void** pointer, size_t bytes) { return result(cudaMallocHost(pointer, bytes)); }
CUresult cuMemFreeHost(void* pointer) { return result(cudaFreeHost(pointer)); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return result(cudaMemcpy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(pointer_to(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
  return result(cudaMemset(pointer_to(pointer), value, count));
}
// The runtime API fills with bytes only.
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned value, size_t count) {
  const std::vector<unsigned> values(count, value);
  return cuMemcpyHtoD(pointer, values.data(), count * sizeof(unsigned));
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) { return result(cudaStreamCreateWithFlags(stream, flags)); }
CUresult cuStreamDestroy(CUstream stream) { return result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
CUresult cuEventCreate(CUevent* event, unsigned flags) { return result(cudaEventCreateWithFlags(event, flags)); }
CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return result(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return result(cudaEventElapsedTime(milliseconds, begin, end));
}
