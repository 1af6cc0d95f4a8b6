#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "lab_sim/api/driver_api.h"
#include "lab_sim/api/launch_api.h"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/device_variables.hpp"

// Modules of the driver API. An image is a library that labcc has made for the simulator; it stays loaded, because the
// runtime knows its kernels and variables by their addresses.

using namespace lab::sim;

struct CUfunc_st {
  const void* address;
};
struct CUmod_st {
  void* library;
  std::map<std::string, CUfunc_st> functions = {};
};

namespace {

CUresult refused(CUresult why, const std::string& what) {
  set_detail(hazard_kind::launch_error, what);
  return why;
}

// The section headers end an image, of which the caller gives no size.
std::size_t image_bytes(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, SELFMAG);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return 0;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

CUresult load(CUmodule* module, const char* image, std::size_t bytes) {
  const int file = memfd_create("module", MFD_CLOEXEC);
  if (file < 0 || write(file, image, bytes) != static_cast<ssize_t>(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  // The file stays open: the tracer reads the names and lines of the library from it.
  void* const library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return refused(CUDA_ERROR_INVALID_IMAGE, dlerror());
  return *module = new CUmod_st{library}, CUDA_SUCCESS;
}

// The buffer of arguments among pairs of a name and a value.
const void* buffer_in(void** extra) {
  for (; extra && extra[0] != CU_LAUNCH_PARAM_END; extra += 2)
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) return extra[1];
  return nullptr;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t bytes = image_bytes(image);
  if (bytes == 0)
    return refused(CUDA_ERROR_INVALID_IMAGE,
                   "the image is no library for the simulator; make it with its nvcc -fatbin, not with NVIDIA's");
  return load(module, static_cast<const char*>(image), bytes);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream in{file, std::ios::binary};
  if (!in) return refused(CUDA_ERROR_FILE_NOT_FOUND, std::string{"no such file: "} + file);
  std::ostringstream text;
  text << in.rdbuf();
  const std::string image = std::move(text).str();
  if (image.size() < sizeof(Elf64_Ehdr)) return refused(CUDA_ERROR_INVALID_IMAGE, std::string{file} + " is too short");
  return cuModuleLoadData(module, image.data());
}

CUresult cuModuleUnload(CUmodule module) {
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  delete module;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  const void* const found = dlsym(module->library, name);
  if (!found) return refused(CUDA_ERROR_NOT_FOUND, std::string{"the module has no kernel "} + name);
  return *function = &module->functions.emplace(name, CUfunc_st{found}).first->second, CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  const void* const found = dlsym(module->library, name);
  if (!found) return refused(CUDA_ERROR_NOT_FOUND, std::string{"the module has no variable "} + name);
  const auto address = reinterpret_cast<std::uintptr_t>(found);
  const variable* const known = variable_at_or_before(address);
  if (!known || known->begin != address)
    return refused(CUDA_ERROR_NOT_FOUND, std::string{name} + " is no __device__ variable");
  if (bytes) *bytes = known->bytes;
  void* of_device = nullptr;
  const cudaError_t failed = lab_sim::symbol_address(&of_device, found, known->bytes);
  if (pointer) *pointer = reinterpret_cast<CUdeviceptr>(of_device);
  return static_cast<CUresult>(failed);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra) {
  if (!function || (arguments && extra)) return CUDA_ERROR_INVALID_VALUE;
  lab_sim::config where{dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream};
  where.packed = buffer_in(extra);
  return static_cast<CUresult>(lab_sim::launch_address(function->address, where, arguments));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, size_t shared) {
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  return static_cast<CUresult>(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function->address, threads, shared));
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction function, size_t (*shared_of)(int),
                                          size_t shared, int limit) {
  int blocks = 0, multiprocessors = 0, device = 0, most = 0;
  if (!least_grid || !block) return CUDA_ERROR_INVALID_VALUE;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  for (int threads = limit > 0 ? std::min(limit, 1024) : 1024; threads > 0; threads -= 32) {
    const CUresult failed = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                                        shared_of ? shared_of(threads) : shared);
    if (failed != CUDA_SUCCESS) return failed;
    if (blocks * threads > most) most = blocks * threads, *block = threads, *least_grid = blocks * multiprocessors;
  }
  return CUDA_SUCCESS;
}
