#include <algorithm>

#include "lab_sim/device.h"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/device_memory.hpp"

// Texture references: each holds a texture object, which a binding replaces.

using namespace lab::sim;

static constexpr std::size_t reference_alignment = 256;  // of every allocation

namespace lab_sim {

cudaError_t unbind(const textureReference& reference) {
  const cudaError_t failed = cudaDestroyTextureObject(reference.lab_sim_object);
  reference.lab_sim_object = 0;
  return failed;
}

cudaError_t bind(const textureReference& reference, const cudaResourceDesc& resource) {
  cudaTextureDesc settings{};
  std::ranges::copy(reference.addressMode, settings.addressMode);
  settings.filterMode = reference.filterMode;
  settings.readMode = reference.lab_sim_mode;
  settings.normalizedCoords = reference.normalized;
  settings.sRGB = reference.sRGB;
  if (const cudaError_t failed = unbind(reference); failed != cudaSuccess) return failed;
  return cudaCreateTextureObject(&reference.lab_sim_object, &resource, &settings, nullptr);
}

cudaError_t bind_linear(size_t* offset, const textureReference& reference, const void* memory,
                        const cudaChannelFormatDesc& format, size_t bytes) {
  const auto at = find(memory);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skipped = begin % reference_alignment;  // which the program adds to its coordinates
  if (!at || (skipped > 0 && !offset)) return report(cudaErrorInvalidValue);
  if (offset) *offset = skipped;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {reinterpret_cast<void*>(begin - skipped), format,
                         std::min(bytes, at->begin + at->bytes - begin) + skipped};
  return bind(reference, resource);
}

cudaError_t bind_pitched(size_t* offset, const textureReference& reference, const void* memory,
                         const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  if (offset) *offset = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(memory), format, width, height, pitch};
  return bind(reference, resource);
}

cudaError_t bind_array(const textureReference& reference, cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind(reference, resource);
}

}  // namespace lab_sim
