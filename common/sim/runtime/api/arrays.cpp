#include <algorithm>

#include "sim/runtime/api/copy_rows.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/faults.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/textures/texture_objects.hpp"

// Arrays for textures and surfaces, and three-dimensional allocations.

using namespace lab::sim;

namespace {

constexpr unsigned array_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

bool is_possible(const cudaExtent& e, unsigned flags) {
  if (e.width == 0 || (flags & ~array_flags)) return false;
  if ((flags & cudaArrayLayered) && e.depth == 0) return false;
  if (flags & cudaArrayCubemap)
    return e.width == e.height && (flags & cudaArrayLayered ? e.depth % 6 == 0 : e.depth == 6);
  return e.depth == 0 || e.height > 0 || (flags & cudaArrayLayered);
}

cudaError_t make_array(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags,
                       const void* pc) {
  if (!array || !format) return cudaErrorInvalidValue;
  *array = nullptr;
  const unsigned bytes = bytes_of(*format);
  if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
  if (!is_possible(extent, flags)) return cudaErrorInvalidValue;
  if (const cudaError_t refused = capture::forbids_waiting(); refused != cudaSuccess) return refused;
  catch_faults();
  trace::allocating(pc);
  const std::size_t rows = std::max<std::size_t>(extent.height, 1) * std::max<std::size_t>(extent.depth, 1);
  void* const memory = allocate(memory_kind::device, extent.width * bytes * rows, "cudaMallocArray");
  if (!memory) return cudaErrorMemoryAllocation;
  *array = new cudaArray{*format, extent, flags, static_cast<char*>(memory)};
  add_array(*array);
  return cudaSuccess;
}

cudaError_t fill_slices(cudaPitchedPtr p, int value, cudaExtent e, const origin& by) {
  return call([&] {
    return capture::run_or_keep(by.stream, [=] {
      cudaError_t done = e.height <= p.ysize || e.depth <= 1 ? cudaSuccess : cudaErrorInvalidValue;
      for (std::size_t z = 0; z < e.depth && done == cudaSuccess; ++z)
        done = fill_rows(static_cast<char*>(p.ptr) + z * p.pitch * p.ysize, p.pitch, value, e.width, e.height, by);
      return done;
    });
  });
}

}  // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call([&] {
    if (!format || !is_array(array)) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make_array(array, format, {width, height, 0}, flags, pc); });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make_array(array, format, extent, flags, pc); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  const void* const pc = __builtin_return_address(0);
  return call([&] {
    if (!pointer) return cudaErrorInvalidValue;
    const std::size_t pitch = (extent.width + 511) / 512 * 512;
    if (const cudaError_t refused = capture::forbids_waiting(); refused != cudaSuccess) return refused;
    catch_faults();
    trace::allocating(pc);
    const std::size_t bytes = pitch * extent.height * extent.depth;
    void* const memory = bytes > 0 ? allocate(memory_kind::device, bytes, "cudaMalloc3D") : nullptr;
    if (bytes > 0 && !memory) return cudaErrorMemoryAllocation;
    *pointer = {memory, pitch, extent.width, extent.height};
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return call([&] {
    in_flight::host_waits_for_all();
    if (!array) return cudaSuccess;
    if (!remove_array(array)) return cudaErrorInvalidValue;
    release(array->memory, memory_kind::device, memory_kind::device);
    delete array;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call([&] {
    if (!is_array(array)) return cudaErrorInvalidValue;
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return fill_slices(pointer, value, extent, {nullptr, __builtin_return_address(0)});
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_slices(pointer, value, extent, {stream, __builtin_return_address(0)});
}
