#include <cuda_runtime_api.h>

#include <cstring>
#include <utility>

#include "runner/replay/interposed.hpp"
#include "runner/replay/recording_state.hpp"

// Kernel launches and function attributes; see interposed_memory.cpp.

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

// The parameters in the kernel's own layout. The runtime reports an error at the first index without a parameter.
std::vector<std::byte> parameters_of(const void* kernel, void** values) {
  std::vector<std::byte> parameters;
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; cudaFuncGetParamInfo(kernel, i, &offset, &size) == cudaSuccess; ++i) {
    parameters.resize(offset + size);
    std::memcpy(parameters.data() + offset, values[i], size);
  }
  cudaGetLastError();
  return parameters;
}

bool is_device_address(std::uint64_t word) {
  cudaPointerAttributes attributes{};
  if (word >> 32 == 0 || cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(word)) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

void refuse_foreign_pointers(const std::string& kernel, std::span<const std::byte> parameters) {
  for (std::size_t offset = 0; offset + 8 <= parameters.size(); offset += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + offset, sizeof word);
    if (while_recording([&](recorder& recorder) { return recorder.owns(word); }) || !is_device_address(word)) continue;
    refuse("a parameter of " + kernel + " points to device memory that is neither an argument nor from cudaMalloc");
  }
}

replay::extent extent_of(const dim3& dimensions) { return {dimensions.x, dimensions.y, dimensions.z}; }

std::string refused_launch;

// CUDA's error code does not tell a refused launch from another call's invalid value.
void note_refusal(cudaError_t status, const void* kernel) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess || !name) name = "?";
  refused_launch = std::string{"launch_error: kernel "} + name + " was not launched: " + cudaGetErrorString(status);
}

// A launch that fails is not recorded, because it does nothing.
cudaError_t note_launch(cudaError_t status, const void* kernel, const replay::operation& shape, void** values,
                        cudaStream_t stream) {
  if (status != cudaSuccess) note_refusal(status, kernel);
  if (status != cudaSuccess || !recording()) return status;
  const auto name = name_of(kernel);
  const auto parameters = parameters_of(kernel, values);
  refuse_foreign_pointers(name, parameters);
  return note(status, [&](recorder& recorder) { recorder.launch(name, shape, parameters, as_number(stream)); });
}

replay::operation shape_of(const dim3& grid, const dim3& block, std::size_t shared) {
  replay::operation op{};
  op.grid = extent_of(grid);
  op.block = extent_of(block);
  op.shared = static_cast<std::uint32_t>(shared);
  return op;
}

void add_attribute(replay::operation& op, const cudaLaunchAttribute& attribute) {
  if (attribute.id == cudaLaunchAttributeClusterDimension)
    op.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
  else if (attribute.id == cudaLaunchAttributeCooperative)
    op.cooperative = attribute.val.cooperative != 0;
  else if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
    op.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
  else if (attribute.id != cudaLaunchAttributeIgnore)
    refuse("it launches with attribute " + std::to_string(attribute.id));
}

}  // namespace

}  // namespace lab::runner

using namespace lab::runner;

extern "C" {

const char* lab_refused_launch() {
  static std::string last;
  last = std::exchange(refused_launch, {});
  return last.c_str();
}

// nvcc translates kernel<<<...>>> to this call since CUDA 12.8; no header for host compilers declares it.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** values, std::size_t shared,
                               cudaStream_t stream) {
  const auto status = LAB_REAL(__cudaLaunchKernel)(kernel, grid, block, values, shared, stream);
  return note_launch(status, reinterpret_cast<const void*>(kernel), shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** values, std::size_t shared,
                             cudaStream_t stream) {
  const auto status = LAB_REAL(cudaLaunchKernel)(kernel, grid, block, values, shared, stream);
  return note_launch(status, kernel, shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** values, std::size_t shared,
                                        cudaStream_t stream) {
  auto shape = shape_of(grid, block, shared);
  shape.cooperative = 1;
  const auto status = LAB_REAL(cudaLaunchCooperativeKernel)(kernel, grid, block, values, shared, stream);
  return note_launch(status, kernel, shape, values, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** values) {
  auto shape = shape_of(config->gridDim, config->blockDim, config->dynamicSmemBytes);
  for (unsigned i = 0; i < config->numAttrs; ++i) add_attribute(shape, config->attrs[i]);
  return note_launch(LAB_REAL(cudaLaunchKernelExC)(config, kernel, values), kernel, shape, values, config->stream);
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value) {
  const auto status = LAB_REAL(cudaFuncSetAttribute)(kernel, which, value);
  if (!recording()) return status;
  const auto name = name_of(kernel);
  return note(status, [&](recorder& recorder) { recorder.attribute(name, which, static_cast<std::uint64_t>(value)); });
}

}  // extern "C"
