#pragma once

#include "cuda_runtime_api.h"

/// Memory for textures and surfaces, without gaps between its rows. A height or depth of 0 is a missing dimension.
struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags;
  char* memory;
};

namespace lab::sim {

/// Bytes of one element, or 0 if CUDA has no arrays of this format.
unsigned bytes_of(const cudaChannelFormatDesc& format);
inline int components_of(const cudaChannelFormatDesc& f) {
  return f.y == 0 ? f.x > 0 : (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0);
}

/// The elements that a texture or a surface shows. Layers and faces are its depth.
struct texel_view {
  char* memory = nullptr;
  int width = 0, height = 1, depth = 1;
  std::size_t pitch = 0;
  unsigned bytes = 0;
  cudaChannelFormatDesc format{};
  bool layered = false;

  char* at(int x, int y, int z) const {
    return memory +
           (static_cast<std::size_t>(z) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)) * pitch +
           static_cast<std::size_t>(x) * bytes;
  }
};

enum class object_kind : unsigned { destroyed, texture = 0x7e87, surface = 0x54fa };

/// A texture or a surface object. Its handle is its address, which stays valid after its destruction.
struct view_object {
  object_kind kind;
  texel_view view;
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

/// The object of a handle, or null if there is none of this kind.
const view_object* object_of(unsigned long long handle, object_kind kind);
unsigned long long add_object(const view_object& object);
bool destroy_object(unsigned long long handle, object_kind kind);

void add_array(cudaArray_t array);
bool remove_array(cudaArray_t array);
bool is_array(cudaArray_const_t array);

}  // namespace lab::sim
