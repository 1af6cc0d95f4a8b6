#pragma once

#include "lab_sim/textures/textures.h"

// Texture references, which CUDA 12 removed and older programs use. labcc turns the name  texture<...>  into
// lab_sim::texture, because newer programs may use it for something else.

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  cudaTextureReadMode lab_sim_mode;
  mutable cudaTextureObject_t lab_sim_object;  // of what is bound
};

namespace lab_sim {

/// Binds what the resource describes, with the reference's present settings.
cudaError_t bind(const textureReference& reference, const cudaResourceDesc& resource);
cudaError_t unbind(const textureReference& reference);
/// Linear memory; bytes beyond the end of its allocation are cut off.
cudaError_t bind_linear(size_t* offset, const textureReference& reference, const void* memory,
                        const cudaChannelFormatDesc& format, size_t bytes);
cudaError_t bind_pitched(size_t* offset, const textureReference& reference, const void* memory,
                         const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch);
cudaError_t bind_array(const textureReference& reference, cudaArray_const_t array);

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
  constexpr texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                    cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized, filter, {address, address, address}, {}, 0, mode, 0} {}
  texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format)
      : textureReference{normalized, filter, {address, address, address}, format, 0, mode, 0} {}
};

template <class T, cudaTextureReadMode mode, int count = components<T>::count>
struct fetched {
  using type = T;
};
template <class T>
struct fetched<T, cudaReadModeNormalizedFloat, 1> {
  using type = float;
};
template <class T>
struct fetched<T, cudaReadModeNormalizedFloat, 2> {
  using type = float2;
};
template <class T>
struct fetched<T, cudaReadModeNormalizedFloat, 4> {
  using type = float4;
};

// The reference itself lies in host memory, of which the tracer would complain.
LAB_SIM_UNSEEN inline cudaTextureObject_t object_of(const textureReference& reference) {
  return reference.lab_sim_object;
}

}  // namespace lab_sim

#define LAB_SIM_FETCH(name, ...)                                                                 \
  template <class T, int type, cudaTextureReadMode mode, class... At>                            \
  LAB_SIM_INLINE auto name(const lab_sim::texture<T, type, mode>& reference, At... at) {         \
    return name<typename lab_sim::fetched<T, mode>::type>(lab_sim::object_of(reference), at...); \
  }
LAB_SIM_FETCH(tex1Dfetch)
LAB_SIM_FETCH(tex1D)
LAB_SIM_FETCH(tex2D)
LAB_SIM_FETCH(tex3D)
LAB_SIM_FETCH(tex1DLayered)
LAB_SIM_FETCH(tex2DLayered)
LAB_SIM_FETCH(texCubemap)
#undef LAB_SIM_FETCH

// The forms of C++ take the reference itself, those of C its address.
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const lab_sim::texture<T, type, mode>& reference, const void* memory,
                            const cudaChannelFormatDesc& format, size_t bytes = size_t(-1)) {
  return lab_sim::bind_linear(offset, reference, memory, format, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const lab_sim::texture<T, type, mode>& reference, const void* memory,
                            size_t bytes = size_t(-1)) {
  return lab_sim::bind_linear(offset, reference, memory, cudaCreateChannelDesc<T>(), bytes);
}
inline cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                                   const cudaChannelFormatDesc* format, size_t bytes = size_t(-1)) {
  return lab_sim::bind_linear(offset, *reference, memory, *format, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const lab_sim::texture<T, type, mode>& reference, const void* memory,
                              const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  return lab_sim::bind_pitched(offset, reference, memory, format, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const lab_sim::texture<T, type, mode>& reference, const void* memory,
                              size_t width, size_t height, size_t pitch) {
  return lab_sim::bind_pitched(offset, reference, memory, cudaCreateChannelDesc<T>(), width, height, pitch);
}
inline cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                                     const cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch) {
  return lab_sim::bind_pitched(offset, *reference, memory, *format, width, height, pitch);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& reference, cudaArray_const_t array) {
  return lab_sim::bind_array(reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc&) {
  return lab_sim::bind_array(reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc*) {
  return lab_sim::bind_array(*reference, array);
}
inline cudaError_t cudaUnbindTexture(const textureReference& reference) { return lab_sim::unbind(reference); }
inline cudaError_t cudaUnbindTexture(const textureReference* reference) { return lab_sim::unbind(*reference); }
inline cudaError_t cudaGetTextureReference(const textureReference** found, const textureReference* symbol) {
  return *found = symbol, cudaSuccess;
}
