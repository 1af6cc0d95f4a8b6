#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "cpu_kernels.hpp"

// The driver functions that belong to cuda_runtime.cpp. The handle of a function is its entry in the kernel table.

namespace {

const fake_cuda::kernel* kernel_of(CUfunction function_handle) {
  return reinterpret_cast<const fake_cuda::kernel*>(function_handle);
}

bool command_line_contains(const std::string& name) {
  std::ifstream command_line{"/proc/self/cmdline", std::ios::binary};
  const std::string all{std::istreambuf_iterator<char>{command_line}, {}};
  return all.find(name) != std::string::npos;
}

CUresult reserve_address(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr preferred,
                         unsigned long long) {
  const auto where = preferred + (command_line_contains("taken") ? 1ull << 40 : 0);
  void* const found = mmap(reinterpret_cast<void*>(where), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<CUdeviceptr>(found);
  return found == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult free_address(CUdeviceptr address, std::size_t bytes) {
  return munmap(reinterpret_cast<void*>(address), bytes) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult granularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return *bytes = 2 << 20, CUDA_SUCCESS;
}
CUresult create_memory(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*, unsigned long long) {
  return CUDA_SUCCESS;
}
CUresult release_memory(CUmemGenericAllocationHandle) { return CUDA_SUCCESS; }
CUresult map(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return CUDA_SUCCESS;
}
CUresult set_access(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t) { return CUDA_SUCCESS; }
CUresult unmap(CUdeviceptr, std::size_t) { return CUDA_SUCCESS; }

CUresult load(CUmodule*, const void* image) {
  fake_cuda::bias = fake_cuda::launched = 0;
  return static_cast<const char*>(image)[0] != 'n' ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}
CUresult unload(CUmodule) { return CUDA_SUCCESS; }
CUresult function(CUfunction* function_handle, CUmodule, const char* name) {
  *function_handle = reinterpret_cast<CUfunction>(const_cast<fake_cuda::kernel*>(fake_cuda::find(name)));
  return *function_handle ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult global(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char* name) {
  *address = reinterpret_cast<CUdeviceptr>(&fake_cuda::bias);
  *bytes = sizeof fake_cuda::bias;
  return std::string{name} == "bias" ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult parameter(CUfunction function_handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (index >= kernel_of(function_handle)->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = kernel_of(function_handle)->parameters[index].offset;
  *bytes = kernel_of(function_handle)->parameters[index].bytes;
  return CUDA_SUCCESS;
}
CUresult attribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult launch(const CUlaunchConfig*, CUfunction function_handle, void** values, void**) {
  return kernel_of(function_handle)->run(values), CUDA_SUCCESS;
}
CUresult error_name(CUresult, const char** text) { return *text = "CUDA_ERROR_OF_THE_FAKE", CUDA_SUCCESS; }

template <class Function>
void* as(Function* expected) {
  return reinterpret_cast<void*>(expected);
}

}  // namespace

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned, unsigned long long,
                                                        cudaDriverEntryPointQueryResult*) {
  static const std::map<std::string, void*> all{
      {"cuMemAddressReserve", as<decltype(cuMemAddressReserve)>(reserve_address)},
      {"cuMemAddressFree", as<decltype(cuMemAddressFree)>(free_address)},
      {"cuMemGetAllocationGranularity", as<decltype(cuMemGetAllocationGranularity)>(granularity)},
      {"cuMemCreate", as<decltype(cuMemCreate)>(create_memory)},
      {"cuMemRelease", as<decltype(cuMemRelease)>(release_memory)},
      {"cuMemMap", as<decltype(cuMemMap)>(map)},
      {"cuMemSetAccess", as<decltype(cuMemSetAccess)>(set_access)},
      {"cuMemUnmap", as<decltype(cuMemUnmap)>(unmap)},
      {"cuModuleLoadData", as<decltype(cuModuleLoadData)>(load)},
      {"cuModuleUnload", as<decltype(cuModuleUnload)>(unload)},
      {"cuModuleGetFunction", as<decltype(cuModuleGetFunction)>(function)},
      {"cuModuleGetGlobal", as<decltype(cuModuleGetGlobal)>(global)},
      {"cuFuncGetParamInfo", as<decltype(cuFuncGetParamInfo)>(parameter)},
      {"cuFuncSetAttribute", as<decltype(cuFuncSetAttribute)>(attribute)},
      {"cuLaunchKernelEx", as<decltype(cuLaunchKernelEx)>(launch)},
      {"cuGetErrorName", as<decltype(cuGetErrorName)>(error_name)},
      {"cuGetErrorString", as<decltype(cuGetErrorString)>(error_name)}};
  const auto found_function = all.find(name);
  *found = found_function == all.end() ? nullptr : found_function->second;
  return *found ? cudaSuccess : cudaErrorInvalidValue;
}
