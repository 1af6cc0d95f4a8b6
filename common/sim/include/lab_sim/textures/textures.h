#pragma once

// Fetches from textures. An array has one level of detail, so a level or a gradient changes nothing.

namespace lab_sim {

/// What a fetch returns: four registers, of which each holds a float or an integer.
struct texel {
  unsigned registers[4];
};
struct texture_place {
  float x, y, z;
  int layer;
};
texel fetch(cudaTextureObject_t texture, int dimensions, const texture_place& at);
texel fetch_by_index(cudaTextureObject_t texture, int index);
texel fetch_from_cube(cudaTextureObject_t texture, const texture_place& at);
/// One component of the four texels that linear filtering would read.
texel gather_texels(cudaTextureObject_t texture, const texture_place& at, int component);

template <class C>
LAB_SIM_INLINE C component_of(unsigned bits) {
  if constexpr (std::is_same<C, float>::value)
    return __builtin_bit_cast(float, bits);
  else
    return static_cast<C>(bits);
}

template <class T>
LAB_SIM_INLINE T value_of(const texel& from) {
  using all = components<T>;
  using C = typename all::type;
  const unsigned* const r = from.registers;
  static_assert(all::count != 3 && sizeof(C) <= 4, "a texel has one, two or four components of at most 32 bits");
  if constexpr (std::is_arithmetic<T>::value)
    return component_of<C>(r[0]);
  else if constexpr (all::count == 1)
    return T{component_of<C>(r[0])};
  else if constexpr (all::count == 2)
    return T{component_of<C>(r[0]), component_of<C>(r[1])};
  else
    return T{component_of<C>(r[0]), component_of<C>(r[1]), component_of<C>(r[2]), component_of<C>(r[3])};
}

}  // namespace lab_sim

// Each fetch returns its value, or writes it to a variable.
#define LAB_SIM_FETCH(name, call, ...)                                        \
  template <class T>                                                          \
  LAB_SIM_INLINE T name(cudaTextureObject_t texture, __VA_ARGS__) {           \
    return lab_sim::value_of<T>(lab_sim::call);                               \
  }                                                                           \
  template <class T>                                                          \
  LAB_SIM_INLINE void name(T* to, cudaTextureObject_t texture, __VA_ARGS__) { \
    *to = lab_sim::value_of<T>(lab_sim::call);                                \
  }
#define LAB_SIM_AT(...) \
  lab_sim::texture_place { __VA_ARGS__ }
LAB_SIM_FETCH(tex1Dfetch, fetch_by_index(texture, x), int x)
LAB_SIM_FETCH(tex1D, fetch(texture, 1, LAB_SIM_AT(x, 0, 0, 0)), float x)
LAB_SIM_FETCH(tex2D, fetch(texture, 2, LAB_SIM_AT(x, y, 0, 0)), float x, float y)
LAB_SIM_FETCH(tex3D, fetch(texture, 3, LAB_SIM_AT(x, y, z, 0)), float x, float y, float z)
LAB_SIM_FETCH(tex1DLayered, fetch(texture, 1, LAB_SIM_AT(x, 0, 0, layer)), float x, int layer)
LAB_SIM_FETCH(tex2DLayered, fetch(texture, 2, LAB_SIM_AT(x, y, 0, layer)), float x, float y, int layer)
LAB_SIM_FETCH(texCubemap, fetch_from_cube(texture, LAB_SIM_AT(x, y, z, 0)), float x, float y, float z)
LAB_SIM_FETCH(texCubemapLayered, fetch_from_cube(texture, LAB_SIM_AT(x, y, z, layer)), float x, float y, float z,
              int layer)
LAB_SIM_FETCH(tex2Dgather, gather_texels(texture, LAB_SIM_AT(x, y, 0, 0), component), float x, float y,
              int component = 0)
LAB_SIM_FETCH(tex1DLod, fetch(texture, 1, LAB_SIM_AT(x, 0, 0, 0)), float x, float)
LAB_SIM_FETCH(tex2DLod, fetch(texture, 2, LAB_SIM_AT(x, y, 0, 0)), float x, float y, float)
LAB_SIM_FETCH(tex3DLod, fetch(texture, 3, LAB_SIM_AT(x, y, z, 0)), float x, float y, float z, float)
LAB_SIM_FETCH(tex1DLayeredLod, fetch(texture, 1, LAB_SIM_AT(x, 0, 0, layer)), float x, int layer, float)
LAB_SIM_FETCH(tex2DLayeredLod, fetch(texture, 2, LAB_SIM_AT(x, y, 0, layer)), float x, float y, int layer, float)
LAB_SIM_FETCH(texCubemapLod, fetch_from_cube(texture, LAB_SIM_AT(x, y, z, 0)), float x, float y, float z, float)
LAB_SIM_FETCH(tex1DGrad, fetch(texture, 1, LAB_SIM_AT(x, 0, 0, 0)), float x, float, float)
LAB_SIM_FETCH(tex2DGrad, fetch(texture, 2, LAB_SIM_AT(x, y, 0, 0)), float x, float y, float2, float2)
LAB_SIM_FETCH(tex3DGrad, fetch(texture, 3, LAB_SIM_AT(x, y, z, 0)), float x, float y, float z, float4, float4)
#undef LAB_SIM_AT
#undef LAB_SIM_FETCH
