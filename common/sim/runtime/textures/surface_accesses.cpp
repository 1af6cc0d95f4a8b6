#include <algorithm>
#include <cstring>

#include "lab_sim/device.h"
#include "lab_sim/textures/surfaces.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/textures/texture_objects.hpp"

// Reads and writes of surfaces by kernels: loads and stores of global memory.

namespace lab::sim {

namespace {

using lab_sim::surface_place;

[[noreturn]] void stop_at(cudaError_t error, hazard_kind kind, const std::string& what, const void* pc) {
  trace::at(pc);
  block_runner::current().abandon(error, kind, what);
}

std::string words_of(const surface_place& at, const texel_view& v) {
  const auto triple = [](long x, long y, long z) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  };
  return triple(at.x, at.y, at.z) + " of a surface of " +
         triple(static_cast<long>(v.width) * static_cast<long>(v.bytes), v.height, v.depth) +
         "; x counts bytes, so it is the element's number times its size";
}

// The memory of an access; null if it is outside and has no effect.
char* locate(cudaSurfaceObject_t handle, unsigned bytes, surface_place at, cudaSurfaceBoundaryMode mode,
             const void* pc) {
  const auto* const object = object_of(handle, object_kind::surface);
  if (!object)
    stop_at(cudaErrorIllegalAddress, hazard_kind::out_of_bounds,
            "accesses a surface object that does not exist or was destroyed", pc);
  const texel_view& v = object->view;
  if (at.x % static_cast<int>(bytes) != 0)
    stop_at(cudaErrorMisalignedAddress, hazard_kind::misaligned,
            std::to_string(bytes) + " bytes are accessed at " + words_of(at, v), pc);
  const int row_bytes = v.width * static_cast<int>(v.bytes), last = row_bytes - static_cast<int>(bytes);
  const bool inside = at.x >= 0 && at.x <= last && at.y >= 0 && at.y < v.height && at.z >= 0 && at.z < v.depth;
  if (!inside && mode == cudaBoundaryModeTrap)
    stop_at(cudaErrorIllegalAddress, hazard_kind::out_of_bounds,
            std::to_string(bytes) + " bytes are accessed at " + words_of(at, v), pc);
  if (!inside && mode == cudaBoundaryModeZero) return nullptr;
  if (!inside) at = {std::clamp(at.x, 0, last), std::clamp(at.y, 0, v.height - 1), std::clamp(at.z, 0, v.depth - 1)};
  return v.at(0, at.y, at.z) + at.x;
}

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

namespace lab_sim {

void read_surface(cudaSurfaceObject_t surface, void* to, unsigned bytes, const surface_place& at,
                  cudaSurfaceBoundaryMode mode) {
  const void* const pc = __builtin_return_address(0);
  const char* const from = locate(surface, bytes, at, mode, pc);
  if (!from) {
    std::memset(to, 0, bytes);
    return;
  }
  trace::touched(from, bytes, false, pc);
  std::memcpy(to, from, bytes);
}

void write_surface(cudaSurfaceObject_t surface, const void* from, unsigned bytes, const surface_place& at,
                   cudaSurfaceBoundaryMode mode) {
  const void* const pc = __builtin_return_address(0);
  char* const to = locate(surface, bytes, at, mode, pc);
  if (!to) return;
  trace::touched(to, bytes, true, pc);
  std::memcpy(to, from, bytes);
}

}  // namespace lab_sim
