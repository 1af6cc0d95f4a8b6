#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "kernels.hpp"

// Stands in for CUDA's runtime where there is no GPU: device memory is the host's, everything is done at once. The
// host's symbol of a kernel is its name. Of a variable, its address is the variable.

namespace {

using clock_type = std::chrono::steady_clock;

struct event {
  clock_type::time_point time;
};

cudaError_t run(const void* kernel, const dim3& grid, void** values) {
  const auto* const k = tapes::find(static_cast<const char*>(kernel));
  if (!k) return cudaErrorInvalidDeviceFunction;
  if (grid.x == 0) return cudaErrorInvalidConfiguration;
  k->run(values);
  return cudaSuccess;
}

cudaError_t make(cudaStream_t* made) {
  static std::uintptr_t last = 1000;
  *made = reinterpret_cast<cudaStream_t>(++last);
  return cudaSuccess;
}

// Whether this process was started with a file of that name: so a test says what kind of machine it wants.
bool started_with(const std::string& name) {
  std::ifstream words{"/proc/self/cmdline", std::ios::binary};
  const std::string all{std::istreambuf_iterator<char>{words}, {}};
  return all.find(name) != std::string::npos;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  *name = static_cast<const char*>(kernel);
  return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const auto* const k = tapes::find(static_cast<const char*>(kernel));
  if (!k || index >= k->parameters.size()) return cudaErrorInvalidValue;
  *offset = k->parameters[index].offset;
  *bytes = k->parameters[index].bytes;
  return cudaSuccess;
}

// Of all the words in a kernel's parameters this one is an address of device memory from elsewhere.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* known, const void* p) {
  known->type = p == reinterpret_cast<void*>(0x7f00'0000'0000) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = which == cudaDevAttrL2CacheSize ? 1 << 16 : which == cudaDevAttrPageableMemoryAccess && started_with("hmm");
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  *p = {};
  std::strcpy(p->name, "a CPU in the place of a GPU");
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = 1 << 30;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char*, int, int) { return cudaErrorInvalidDevice; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t e) { return e == cudaSuccess ? "cudaSuccess" : "cudaErrorOfTheStandIn"; }
const char* cudaGetErrorString(cudaError_t) { return "the runtime in tests/judge/tapes says so"; }

cudaError_t cudaMalloc(void** p, std::size_t n) {
  return *p = std::aligned_alloc(256, (n + 255) / 256 * 256), cudaSuccess;
}
cudaError_t cudaMallocAsync(void** p, std::size_t n, cudaStream_t) { return cudaMalloc(p, n); }
cudaError_t cudaMallocHost(void** p, std::size_t n) { return cudaMalloc(p, n); }
cudaError_t cudaFree(void* p) { return std::free(p), cudaSuccess; }
cudaError_t cudaFreeHost(void* p) { return std::free(p), cudaSuccess; }
cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return std::free(p), cudaSuccess; }
cudaError_t cudaMemset(void* to, int value, std::size_t n) { return std::memset(to, value, n), cudaSuccess; }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t n, cudaStream_t) { return cudaMemset(to, value, n); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t n, cudaMemcpyKind) {
  return std::memmove(to, from, n), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, n, kind);
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t n, std::size_t offset,
                               cudaMemcpyKind kind) {
  return cudaMemcpy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, n, kind);
}

cudaError_t cudaStreamCreate(cudaStream_t* s) { return make(s); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return make(s); }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = reinterpret_cast<cudaEvent_t>(new event), cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete reinterpret_cast<event*>(e), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t) {
  const auto now = reinterpret_cast<event*>(e)->time = clock_type::now();
  static const bool slow = started_with("slow_events");
  while (slow && clock_type::now() < now + std::chrono::milliseconds{60}) continue;
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  const std::chrono::duration<float, std::milli> taken =
      reinterpret_cast<event*>(to)->time - reinterpret_cast<event*>(from)->time;
  return *ms = taken.count(), cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t call, void* with) { return call(with), cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }

cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3, void** values, std::size_t, cudaStream_t) {
  return run(reinterpret_cast<const void*>(k), grid, values);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* k, void** values) {
  return run(k, c->gridDim, values);
}
cudaError_t cudaLaunchKernel(const void* k, dim3 grid, dim3, void** values, std::size_t, cudaStream_t) {
  return run(k, grid, values);
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

}  // extern "C"
