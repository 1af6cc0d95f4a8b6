#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "kernels.hpp"

// The driver's functions that belong to runtime.cpp. A function is its entry in the table of kernels.

namespace {

const tapes::kernel* of(CUfunction f) { return reinterpret_cast<const tapes::kernel*>(f); }

bool started_with(const std::string& name) {
  std::ifstream words{"/proc/self/cmdline", std::ios::binary};
  const std::string all{std::istreambuf_iterator<char>{words}, {}};
  return all.find(name) != std::string::npos;
}

CUresult reserve(CUdeviceptr* at, std::size_t bytes, std::size_t, CUdeviceptr wished, unsigned long long) {
  const auto where = wished + (started_with("taken") ? 1ull << 40 : 0);
  void* const found = mmap(reinterpret_cast<void*>(where), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *at = reinterpret_cast<CUdeviceptr>(found);
  return found == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult release(CUdeviceptr at, std::size_t bytes) {
  return munmap(reinterpret_cast<void*>(at), bytes) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult granularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return *bytes = 2 << 20, CUDA_SUCCESS;
}
CUresult create(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*, unsigned long long) {
  return CUDA_SUCCESS;
}
CUresult forget(CUmemGenericAllocationHandle) { return CUDA_SUCCESS; }
CUresult map(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return CUDA_SUCCESS;
}
CUresult allow(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t) { return CUDA_SUCCESS; }
CUresult unmap(CUdeviceptr, std::size_t) { return CUDA_SUCCESS; }

CUresult load(CUmodule*, const void* image) {
  tapes::bias = tapes::launched = 0;
  return static_cast<const char*>(image)[0] != 'n' ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}
CUresult unload(CUmodule) { return CUDA_SUCCESS; }
CUresult function(CUfunction* f, CUmodule, const char* name) {
  *f = reinterpret_cast<CUfunction>(const_cast<tapes::kernel*>(tapes::find(name)));
  return *f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult global(CUdeviceptr* at, std::size_t* bytes, CUmodule, const char* name) {
  *at = reinterpret_cast<CUdeviceptr>(&tapes::bias);
  *bytes = sizeof tapes::bias;
  return std::string{name} == "bias" ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult parameter(CUfunction f, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (index >= of(f)->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = of(f)->parameters[index].offset;
  *bytes = of(f)->parameters[index].bytes;
  return CUDA_SUCCESS;
}
CUresult attribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult launch(const CUlaunchConfig*, CUfunction f, void** values, void**) { return of(f)->run(values), CUDA_SUCCESS; }
CUresult words(CUresult, const char** text) { return *text = "CUDA_ERROR_OF_THE_STAND_IN", CUDA_SUCCESS; }

template <class Function>
void* as(Function* expected) {
  return reinterpret_cast<void*>(expected);
}

}  // namespace

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned, unsigned long long,
                                                        cudaDriverEntryPointQueryResult*) {
  static const std::map<std::string, void*> all{
      {"cuMemAddressReserve", as<decltype(cuMemAddressReserve)>(reserve)},
      {"cuMemAddressFree", as<decltype(cuMemAddressFree)>(release)},
      {"cuMemGetAllocationGranularity", as<decltype(cuMemGetAllocationGranularity)>(granularity)},
      {"cuMemCreate", as<decltype(cuMemCreate)>(create)},
      {"cuMemRelease", as<decltype(cuMemRelease)>(forget)},
      {"cuMemMap", as<decltype(cuMemMap)>(map)},
      {"cuMemSetAccess", as<decltype(cuMemSetAccess)>(allow)},
      {"cuMemUnmap", as<decltype(cuMemUnmap)>(unmap)},
      {"cuModuleLoadData", as<decltype(cuModuleLoadData)>(load)},
      {"cuModuleUnload", as<decltype(cuModuleUnload)>(unload)},
      {"cuModuleGetFunction", as<decltype(cuModuleGetFunction)>(function)},
      {"cuModuleGetGlobal", as<decltype(cuModuleGetGlobal)>(global)},
      {"cuFuncGetParamInfo", as<decltype(cuFuncGetParamInfo)>(parameter)},
      {"cuFuncSetAttribute", as<decltype(cuFuncSetAttribute)>(attribute)},
      {"cuLaunchKernelEx", as<decltype(cuLaunchKernelEx)>(launch)},
      {"cuGetErrorName", as<decltype(cuGetErrorName)>(words)},
      {"cuGetErrorString", as<decltype(cuGetErrorString)>(words)}};
  const auto at = all.find(name);
  *found = at == all.end() ? nullptr : at->second;
  return *found ? cudaSuccess : cudaErrorInvalidValue;
}
