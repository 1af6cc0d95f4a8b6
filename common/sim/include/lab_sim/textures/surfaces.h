#pragma once

// Reads and writes of surfaces. x counts bytes; y, z, layers and faces count elements.

namespace lab_sim {

struct surface_place {
  int x, y, z;
};
void read_surface(cudaSurfaceObject_t surface, void* to, unsigned bytes, const surface_place& at,
                  cudaSurfaceBoundaryMode mode);
void write_surface(cudaSurfaceObject_t surface, const void* from, unsigned bytes, const surface_place& at,
                   cudaSurfaceBoundaryMode mode);

template <class T>
LAB_SIM_INLINE T surface_value(cudaSurfaceObject_t surface, const surface_place& at, cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "an access has 1, 2, 4, 8 or 16 bytes");
  T value;
  read_surface(surface, &value, sizeof(T), at, mode);
  return value;
}

}  // namespace lab_sim

#define LAB_SIM_SURFACE(name, place, ...)                                                   \
  template <class T>                                                                        \
  LAB_SIM_INLINE T name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                     \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    return lab_sim::surface_value<T>(surface, lab_sim::surface_place place, mode);          \
  }                                                                                         \
  template <class T>                                                                        \
  LAB_SIM_INLINE void name##read(T* to, cudaSurfaceObject_t surface, __VA_ARGS__,           \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    *to = lab_sim::surface_value<T>(surface, lab_sim::surface_place place, mode);           \
  }                                                                                         \
  template <class T>                                                                        \
  LAB_SIM_INLINE void name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,        \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
    lab_sim::write_surface(surface, &value, sizeof(T), lab_sim::surface_place place, mode); \
  }
#define LAB_SIM_AT(...) \
  { __VA_ARGS__ }
LAB_SIM_SURFACE(surf1D, LAB_SIM_AT(x, 0, 0), int x)
LAB_SIM_SURFACE(surf2D, LAB_SIM_AT(x, y, 0), int x, int y)
LAB_SIM_SURFACE(surf3D, LAB_SIM_AT(x, y, z), int x, int y, int z)
LAB_SIM_SURFACE(surf1DLayered, LAB_SIM_AT(x, 0, layer), int x, int layer)
LAB_SIM_SURFACE(surf2DLayered, LAB_SIM_AT(x, y, layer), int x, int y, int layer)
LAB_SIM_SURFACE(surfCubemap, LAB_SIM_AT(x, y, face), int x, int y, int face)
LAB_SIM_SURFACE(surfCubemapLayered, LAB_SIM_AT(x, y, layer_and_face), int x, int y, int layer_and_face)
#undef LAB_SIM_AT
#undef LAB_SIM_SURFACE
