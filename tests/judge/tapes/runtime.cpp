#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

// Stands in for CUDA's runtime where there is no GPU: every call succeeds and does nothing. A kernel is known by its
// host symbol, which begins with the name; it takes a pointer, an int and, aligned to 16 bytes, two more pointers.

namespace {

struct parameter {
  std::size_t offset, bytes;
};
constexpr std::array<parameter, 3> parameters{{{0, 8}, {8, 4}, {16, 16}}};

template <class T>
cudaError_t make(T* made) {
  static std::uintptr_t last = 1000;
  *made = reinterpret_cast<T>(++last);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  *name = static_cast<const char*>(kernel);
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void*, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (index >= parameters.size()) return cudaErrorInvalidValue;
  *offset = parameters[index].offset;
  *bytes = parameters[index].bytes;
  return cudaSuccess;
}

// Of all the words in a kernel's parameters this one is an address of device memory from elsewhere.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* known, const void* p) {
  known->type = p == reinterpret_cast<void*>(0x7f00'0000'0000) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** p, std::size_t) { return make(p); }
cudaError_t cudaMallocAsync(void** p, std::size_t, cudaStream_t) { return make(p); }
cudaError_t cudaStreamCreate(cudaStream_t* s) { return make(s); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return make(s); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return make(e); }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaFree(void* p) { return p ? cudaErrorInvalidValue : cudaSuccess; }
cudaError_t cudaFreeAsync(void*, cudaStream_t) { return cudaErrorInvalidValue; }
cudaError_t cudaMemset(void*, int, std::size_t) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void*, int, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) { return cudaSuccess; }
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind) {
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaSuccess; }
cudaError_t cudaLaunchKernel(const void*, dim3 grid, dim3, void**, std::size_t, cudaStream_t) {
  return grid.x > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

}  // extern "C"
