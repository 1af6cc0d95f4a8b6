#include <algorithm>
#include <string>

#include "sim/runtime/api/copy_rows.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/textures/texture_objects.hpp"

// Copies from and to arrays, and copies of three-dimensional boxes.

using namespace lab::sim;

namespace {

// One end of a copy: the first byte, and the distances of rows and slices.
struct copy_end {
  char* begin;
  std::size_t pitch, slice;
};

struct box {
  std::size_t width, height, depth;  // in bytes, rows, slices
};

// Where x, y and z of an array begin; x in bytes.
cudaError_t end_in_array(cudaArray_const_t array, const cudaPos& at, const box& size, copy_end& end, const void* pc) {
  if (!is_array(array)) return cudaErrorInvalidValue;
  const std::size_t row = array->extent.width * bytes_of(array->format),
                    rows = std::max<std::size_t>(array->extent.height, 1),
                    slices = std::max<std::size_t>(array->extent.depth, 1);
  const auto fits = [](std::size_t from, std::size_t count, std::size_t n) { return from <= n && count <= n - from; };
  if (!fits(at.x, size.width, row) || !fits(at.y, size.height, rows) || !fits(at.z, size.depth, slices))
    return refuse_copy("the copy goes beyond the array, which has " + std::to_string(slices) + " x " +
                           std::to_string(rows) + " rows of " + std::to_string(row) + " bytes",
                       pc);
  end = {array->memory + (at.z * rows + at.y) * row + at.x, row, row * rows};
  return cudaSuccess;
}

cudaError_t copy_box(const copy_end& to, const copy_end& from, const box& size, cudaMemcpyKind kind, const origin& by) {
  cudaError_t done = cudaSuccess;
  for (std::size_t z = 0; z < size.depth && done == cudaSuccess; ++z)
    done = copy_rows(to.begin + z * to.slice, to.pitch, from.begin + z * from.slice, from.pitch, size.width,
                     size.height, kind, by);
  return done;
}

cudaError_t move_box(const copy_end& to, const copy_end& from, const box& size, cudaMemcpyKind kind, const origin& by,
                     bool waits) {
  const cudaError_t done = capture::run_or_keep(by.stream, [=] { return copy_box(to, from, size, kind, by); });
  if (waits) wait_for_copy(to.begin, from.begin);
  return done;
}

char* plain(const void* pointer) { return static_cast<char*>(const_cast<void*>(pointer)); }

cudaError_t to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height,
                     cudaMemcpyKind kind, const origin& by, bool waits) {
  return call([&] {
    copy_end end;
    const box size{width, height, 1};
    const cudaError_t failed = end_in_array(to, {x, y, 0}, size, end, by.pc);
    return failed != cudaSuccess ? failed : move_box(end, {plain(from), pitch, 0}, size, kind, by, waits);
  });
}

cudaError_t from_array(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                       cudaMemcpyKind kind, const origin& by, bool waits) {
  return call([&] {
    copy_end end;
    const box size{width, height, 1};
    const cudaError_t failed = end_in_array(from, {x, y, 0}, size, end, by.pc);
    return failed != cudaSuccess ? failed : move_box({plain(to), pitch, 0}, end, size, kind, by, waits);
  });
}

// A run of bytes that begins at a row's start fills whole rows, then a part of one.
template <class Copy>
cudaError_t by_rows(cudaArray_const_t array, size_t x, size_t bytes, Copy copy) {
  if (!is_array(array)) return report(cudaErrorInvalidValue);
  const std::size_t row = array->extent.width * bytes_of(array->format), whole = x == 0 ? bytes / row : 0;
  const cudaError_t done = whole > 0 ? copy(0, row, whole, 0) : cudaSuccess;
  const std::size_t rest = bytes - whole * row;
  return done != cudaSuccess || rest == 0 ? done : copy(x, rest, 1, whole);
}

// An end of cudaMemcpy3D. Positions count elements of an array, else bytes.
cudaError_t end_of_box(cudaArray_const_t array, const cudaPitchedPtr& pointer, const cudaPos& at, const box& size,
                       copy_end& end, const void* pc) {
  if ((array != nullptr) == (pointer.ptr != nullptr)) return cudaErrorInvalidValue;
  if (array) return end_in_array(array, {at.x * bytes_of(array->format), at.y, at.z}, size, end, pc);
  const std::size_t rows = std::max<std::size_t>(pointer.ysize, 1), slice = pointer.pitch * rows;
  if (size.depth > 1 && at.y + size.height > rows) return cudaErrorInvalidValue;
  end = {plain(pointer.ptr) + at.z * slice + at.y * pointer.pitch + at.x, pointer.pitch, slice};
  return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* p, const origin& by, bool waits) {
  return call([&] {
    if (!p) return cudaErrorInvalidValue;
    for (const auto* const array : {p->srcArray, p->dstArray})
      if (array && !is_array(array)) return cudaErrorInvalidValue;
    const auto* const array = p->srcArray ? p->srcArray : p->dstArray;
    const box size{p->extent.width * (array ? bytes_of(array->format) : 1), p->extent.height, p->extent.depth};
    copy_end from, to;
    if (const cudaError_t bad = end_of_box(p->srcArray, p->srcPtr, p->srcPos, size, from, by.pc); bad != cudaSuccess)
      return bad;
    if (const cudaError_t bad = end_of_box(p->dstArray, p->dstPtr, p->dstPos, size, to, by.pc); bad != cudaSuccess)
      return bad;
    return move_box(to, from, size, p->kind, by, waits);
  });
}

cudaError_t bytes_to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind,
                           const origin& by, bool waits) {
  return by_rows(to, x, bytes, [&](size_t at, size_t width, size_t rows, size_t done) {
    return to_array(to, at, y + done, plain(from) + done * width, width, width, rows, kind, by, waits);
  });
}

cudaError_t bytes_from_array(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind,
                             const origin& by, bool waits) {
  return by_rows(from, x, bytes, [&](size_t at, size_t width, size_t rows, size_t done) {
    return from_array(plain(to) + done * width, width, from, at, y + done, width, rows, kind, by, waits);
  });
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return bytes_to_array(to, x, y, from, bytes, kind, {nullptr, __builtin_return_address(0)}, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return bytes_to_array(to, x, y, from, bytes, kind, {stream, __builtin_return_address(0)}, false);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return bytes_from_array(to, from, x, y, bytes, kind, {nullptr, __builtin_return_address(0)}, true);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return bytes_from_array(to, from, x, y, bytes, kind, {stream, __builtin_return_address(0)}, false);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return to_array(to, x, y, from, pitch, width, height, kind, {nullptr, __builtin_return_address(0)}, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return to_array(to, x, y, from, pitch, width, height, kind, {stream, __builtin_return_address(0)}, false);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return from_array(to, pitch, from, x, y, width, height, kind, {nullptr, __builtin_return_address(0)}, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return from_array(to, pitch, from, x, y, width, height, kind, {stream, __builtin_return_address(0)}, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  const origin by{nullptr, __builtin_return_address(0)};
  return call([&] {
    copy_end source, target;
    const box size{width, height, 1};
    if (const cudaError_t bad = end_in_array(from, {from_x, from_y, 0}, size, source, by.pc); bad != cudaSuccess)
      return bad;
    if (const cudaError_t bad = end_in_array(to, {to_x, to_y, 0}, size, target, by.pc); bad != cudaSuccess) return bad;
    return move_box(target, source, size, kind, by, true);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return copy_3d(what, {nullptr, __builtin_return_address(0)}, true);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return copy_3d(what, {stream, __builtin_return_address(0)}, false);
}
