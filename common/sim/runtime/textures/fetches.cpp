#include "lab_sim/device.h"
#include "lab_sim/textures/textures.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/textures/addressing.hpp"
#include "sim/runtime/textures/texel_values.hpp"

// Fetches of kernels. Each texel that a fetch reads is a load of global memory.

namespace lab::sim {

namespace {

using lab_sim::texel;
using lab_sim::texture_place;

const view_object& texture_of(cudaTextureObject_t handle, const void* pc) {
  if (const auto* const object = object_of(handle, object_kind::texture)) return *object;
  trace::at(pc);
  block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::out_of_bounds,
                                  "fetches from a texture object that does not exist or was destroyed");
}

bool returns_floats(const view_object& t) {
  return t.view.format.f == cudaChannelFormatKindFloat || t.texture.readMode == cudaReadModeNormalizedFloat;
}

unsigned border_component(const view_object& t, int component) {
  const float color = t.texture.borderColor[component];
  return returns_floats(t) ? __builtin_bit_cast(unsigned, color) : static_cast<unsigned>(static_cast<int>(color));
}

// A texel of the view, or null on the border. Only a traced program has a `pc`.
const char* read_texel(const view_object& t, int x, int y, int z, const void* pc) {
  if (x == border || y == border || z == border) return nullptr;
  const char* const at = t.view.at(x, y, z);
  if (pc) trace::touched(at, t.view.bytes, false, pc);
  return at;
}

unsigned component(const view_object& t, const char* at, int which) {
  if (!at) return border_component(t, which);
  if (t.texture.readMode == cudaReadModeNormalizedFloat)
    return __builtin_bit_cast(unsigned, component_as_float(t.view.format, at, which));
  return component_in_memory(t.view.format, at, which);
}

texel point(const view_object& t, const char* at) {
  if (components_of(t.view.format) == 1) return {{component(t, at, 0), 0, 0, 0}};
  texel result{};
  for (int c = 0; c < components_of(t.view.format); ++c) result.registers[c] = component(t, at, c);
  return result;
}

using axes = texels_of_axis[3];

constexpr texels_of_axis no_axis{{0, 0}, {1, 0}};

template <int dimensions>
__attribute__((always_inline)) inline void find_axes(const view_object& t, const texture_place& at, bool linear,
                                                     axes& found) {
  const bool normalized = t.texture.normalizedCoords != 0;
  const float coordinates[] = {at.x, at.y, at.z};
  const int sizes[] = {t.view.width, t.view.height, t.view.depth};
#pragma GCC unroll 3
  for (int d = 0; d < dimensions; ++d)
    find_texels(found[d], coordinates[d], sizes[d], t.texture.addressMode[d], normalized, linear);
  for (int d = dimensions; d < 3; ++d) found[d] = no_axis;
  if (t.view.layered) found[2].index[0] = std::clamp(at.layer, 0, t.view.depth - 1);
}

// Calls `add` with each texel that counts, or null on the border, and with its weight.
template <int dimensions, class Add>
__attribute__((always_inline)) inline void for_corners(const view_object& t, const axes& a, const void* pc,
                                                       const Add& add) {
#pragma GCC unroll 8
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
    const float weight = a[0].weight[x] * a[1].weight[y] * a[2].weight[z];
    if (weight != 0) add(read_texel(t, a[0].index[x], a[1].index[y], a[2].index[z], pc), weight);
  }
}

template <int dimensions>
texel filtered(const view_object& t, const axes& a, const void* pc) {
  const auto& format = t.view.format;
  const int components = components_of(format);
  if (format.f == cudaChannelFormatKindFloat && format.x == 32 && components == 1) {
    float sum = 0;
    for_corners<dimensions>(t, a, pc, [&](const char* at, float weight) {
      float value = t.texture.borderColor[0];
      if (at) std::memcpy(&value, at, sizeof value);
      sum += weight * value;
    });
    return {{__builtin_bit_cast(unsigned, sum), 0, 0, 0}};
  }
  float sums[4] = {};
  for_corners<dimensions>(t, a, pc, [&](const char* at, float weight) {
    for (int c = 0; c < components; ++c) sums[c] += weight * __builtin_bit_cast(float, component(t, at, c));
  });
  texel result{};
  for (int c = 0; c < 4; ++c) result.registers[c] = __builtin_bit_cast(unsigned, sums[c]);
  return result;
}

template <int dimensions>
__attribute__((always_inline)) inline texel sample(const view_object& t, const texture_place& at, const void* pc) {
  axes a;
  const bool linear = t.texture.filterMode == cudaFilterModeLinear;
  find_axes<dimensions>(t, at, linear, a);
  if (linear) return filtered<dimensions>(t, a, pc);
  return point(t, read_texel(t, a[0].index[0], a[1].index[0], a[2].index[0], pc));
}

// The face of a cube that a direction meets, and where, from 0 to 1.
texture_place on_face(const texture_place& to) {
  const float x = std::fabs(to.x), y = std::fabs(to.y), z = std::fabs(to.z);
  const auto place = [&](int face, float s, float t, float m) {
    return texture_place{(s / m + 1) / 2, (t / m + 1) / 2, 0, to.layer * 6 + face};
  };
  if (x >= y && x >= z) return to.x >= 0 ? place(0, -to.z, -to.y, x) : place(1, to.z, -to.y, x);
  if (y >= z) return to.y >= 0 ? place(2, to.x, to.z, y) : place(3, to.x, -to.z, y);
  return to.z >= 0 ? place(4, to.x, -to.y, z) : place(5, -to.x, -to.y, z);
}

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

namespace lab_sim {

texel fetch(cudaTextureObject_t texture, int dimensions, const texture_place& at) {
  const void* const pc = trace::enabled() ? __builtin_return_address(0) : nullptr;
  const view_object& t = texture_of(texture, pc);
  return dimensions == 1 ? sample<1>(t, at, pc) : dimensions == 2 ? sample<2>(t, at, pc) : sample<3>(t, at, pc);
}

texel fetch_from_cube(cudaTextureObject_t texture, const texture_place& at) {
  const void* const pc = trace::enabled() ? __builtin_return_address(0) : nullptr;
  const view_object& t = texture_of(texture, pc);
  texture_place face = on_face(at);
  if (!t.texture.normalizedCoords)
    face.x *= static_cast<float>(t.view.width), face.y *= static_cast<float>(t.view.height);
  return sample<2>(t, face, pc);
}

texel fetch_by_index(cudaTextureObject_t texture, int index) {
  const void* const pc = trace::enabled() ? __builtin_return_address(0) : nullptr;
  const view_object& t = texture_of(texture, pc);
  if (index < 0 || index >= t.view.width) return {};
  return point(t, read_texel(t, index, 0, 0, pc));
}

texel gather_texels(cudaTextureObject_t texture, const texture_place& at, int which) {
  const void* const pc = trace::enabled() ? __builtin_return_address(0) : nullptr;
  const view_object& t = texture_of(texture, pc);
  axes a;
  find_axes<2>(t, at, true, a);
  constexpr int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  texel result{};
  for (int i = 0; i < 4; ++i)
    result.registers[i] =
        component(t, read_texel(t, a[0].index[order[i][0]], a[1].index[order[i][1]], a[2].index[0], pc), which);
  return result;
}

}  // namespace lab_sim
