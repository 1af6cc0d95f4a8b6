#include <cuda_runtime_api.h>

#include <cstring>

#include "runner/replay/interposed.hpp"
#include "runner/replay/interposing.hpp"

// Launches, and what else a tape must know of; see interposed.cpp.

namespace lab::runner {

namespace {

bool recording() {
  return while_recording([](recorder&) { return true; });
}

std::string name_of(const void* kernel) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) == cudaSuccess && name) return name;
  refuse("it launches a kernel without a name");
  return "unknown";
}

// In one piece, each where the kernel expects it. That there is no further one is reported as an error.
std::vector<std::byte> parameters_of(const void* kernel, void** values) {
  std::vector<std::byte> all;
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; cudaFuncGetParamInfo(kernel, i, &offset, &size) == cudaSuccess; ++i) {
    all.resize(offset + size);
    std::memcpy(all.data() + offset, values[i], size);
  }
  cudaGetLastError();
  return all;
}

bool elsewhere_on_device(std::uint64_t word) {
  cudaPointerAttributes known{};
  if (word >> 32 == 0 || cudaPointerGetAttributes(&known, reinterpret_cast<void*>(word)) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return known.type != cudaMemoryTypeUnregistered;
}

void refuse_foreign_pointers(const std::string& kernel, std::span<const std::byte> parameters) {
  for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (while_recording([&](recorder& t) { return t.owns(word); }) || !elsewhere_on_device(word)) continue;
    refuse("a parameter of " + kernel + " points to memory that neither is an argument nor comes from cudaMalloc");
  }
}

replay::extent extent_of(const dim3& d) { return {d.x, d.y, d.z}; }

// A launch that failed did nothing.
cudaError_t note_launch(cudaError_t status, const void* kernel, const replay::operation& shape, void** values,
                        cudaStream_t stream) {
  if (status != cudaSuccess || !recording()) return status;
  const auto name = name_of(kernel);
  const auto parameters = parameters_of(kernel, values);
  refuse_foreign_pointers(name, parameters);
  return note(status, [&](recorder& t) { t.launch(name, shape, parameters, number(stream)); });
}

replay::operation shape_of(const dim3& grid, const dim3& block, std::size_t shared) {
  replay::operation o{};
  o.grid = extent_of(grid);
  o.block = extent_of(block);
  o.shared = static_cast<std::uint32_t>(shared);
  return o;
}

void add_attribute(replay::operation& o, const cudaLaunchAttribute& a) {
  if (a.id == cudaLaunchAttributeClusterDimension)
    o.cluster = {a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z};
  else if (a.id == cudaLaunchAttributeCooperative)
    o.cooperative = a.val.cooperative != 0;
  else if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
    o.programmatic = a.val.programmaticStreamSerializationAllowed != 0;
  else if (a.id != cudaLaunchAttributeIgnore)
    refuse("it launches with attribute " + std::to_string(a.id));
}

}  // namespace

}  // namespace lab::runner

using namespace lab::runner;

extern "C" {

// What nvcc writes for kernel<<<...>>>, since CUDA 12.8; declared in no header for host compilers.
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void** values, std::size_t shared,
                               cudaStream_t stream) {
  const auto status = LAB_REAL(__cudaLaunchKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, reinterpret_cast<const void*>(k), shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchKernel(const void* k, dim3 grid, dim3 block, void** values, std::size_t shared,
                             cudaStream_t stream) {
  const auto status = LAB_REAL(cudaLaunchKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, k, shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* k, dim3 grid, dim3 block, void** values, std::size_t shared,
                                        cudaStream_t stream) {
  auto shape = shape_of(grid, block, shared);
  shape.cooperative = 1;
  const auto status = LAB_REAL(cudaLaunchCooperativeKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, k, shape, values, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* k, void** values) {
  auto shape = shape_of(c->gridDim, c->blockDim, c->dynamicSmemBytes);
  for (unsigned i = 0; i < c->numAttrs; ++i) add_attribute(shape, c->attrs[i]);
  return note_launch(LAB_REAL(cudaLaunchKernelExC)(c, k, values), k, shape, values, c->stream);
}

cudaError_t cudaFuncSetAttribute(const void* k, cudaFuncAttribute which, int value) {
  const auto status = LAB_REAL(cudaFuncSetAttribute)(k, which, value);
  if (!recording()) return status;
  const auto name = name_of(k);
  return note(status, [&](recorder& t) { t.attribute(name, which, static_cast<std::uint64_t>(value)); });
}

}  // extern "C"
