#include <algorithm>
#include <optional>

#include "lab_sim/api/driver_api.h"
#include "sim/runtime/errors/errors.hpp"

// Arrays and textures of the driver API in terms of the runtime API, whose error numbers are the same.

using namespace lab::sim;

namespace {

CUresult result_of(cudaError_t error) { return static_cast<CUresult>(error); }
cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
char* at(CUdeviceptr address) { return reinterpret_cast<char*>(address); }

struct format_row {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr format_row formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                                  {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};

std::optional<cudaChannelFormatDesc> channels(CUarray_format format, unsigned count) {
  const auto row = std::ranges::find(formats, format, &format_row::format);
  if (row == std::end(formats) || (count != 1 && count != 2 && count != 4)) return {};
  const auto bits = [&](unsigned channel) { return channel < count ? row->bits : 0; };
  return cudaChannelFormatDesc{bits(0), bits(1), bits(2), bits(3), row->kind};
}

// One end of a copy: an array, or the address of its first byte.
struct end_of_copy {
  cudaArray_t array = nullptr;
  char* begin = nullptr;
  std::size_t x = 0, y = 0, pitch = 0;
  bool of_host = false;
};

end_of_copy end_at(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array, std::size_t x, std::size_t y,
                   std::size_t pitch, std::size_t width) {
  if (type == CU_MEMORYTYPE_ARRAY) return {array_of(array), nullptr, x, y, 0, false};
  if (pitch == 0) pitch = width;
  const bool of_host = type == CU_MEMORYTYPE_HOST;
  char* const base = of_host ? static_cast<char*>(const_cast<void*>(host)) : at(device);
  return {nullptr, base + y * pitch + x, 0, 0, pitch, of_host};
}

cudaError_t copy(const CUDA_MEMCPY2D& c, cudaStream_t stream) {
  const auto from = end_at(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcPitch,
                           c.WidthInBytes),
             to = end_at(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstPitch,
                         c.WidthInBytes);
  const bool unified = c.srcMemoryType == CU_MEMORYTYPE_UNIFIED || c.dstMemoryType == CU_MEMORYTYPE_UNIFIED;
  const auto kind = unified        ? cudaMemcpyDefault
                    : from.of_host ? (to.of_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                    : to.of_host   ? cudaMemcpyDeviceToHost
                                   : cudaMemcpyDeviceToDevice;
  if (from.array && to.array)
    return cudaMemcpy2DArrayToArray(to.array, to.x, to.y, from.array, from.x, from.y, c.WidthInBytes, c.Height, kind);
  if (to.array)
    return cudaMemcpy2DToArrayAsync(to.array, to.x, to.y, from.begin, from.pitch, c.WidthInBytes, c.Height, kind,
                                    stream);
  if (from.array)
    return cudaMemcpy2DFromArrayAsync(to.begin, to.pitch, from.array, from.x, from.y, c.WidthInBytes, c.Height, kind,
                                      stream);
  return cudaMemcpy2DAsync(to.begin, to.pitch, from.begin, from.pitch, c.WidthInBytes, c.Height, kind, stream);
}

// Nothing if the simulator has no such texture.
std::optional<cudaResourceDesc> resource_of(const CUDA_RESOURCE_DESC& d) {
  cudaResourceDesc r{};
  r.resType = static_cast<cudaResourceType>(d.resType);
  if (d.resType == CU_RESOURCE_TYPE_ARRAY) return r.res.array.array = array_of(d.res.array.hArray), r;
  if (d.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto format = channels(d.res.linear.format, d.res.linear.numChannels);
    if (!format) return {};
    r.res.linear = {at(d.res.linear.devPtr), *format, d.res.linear.sizeInBytes};
    return r;
  }
  const auto& p = d.res.pitch2D;
  const auto format = d.resType == CU_RESOURCE_TYPE_PITCH2D ? channels(p.format, p.numChannels) : std::nullopt;
  if (!format) return {};
  r.res.pitch2D = {at(p.devPtr), *format, p.width, p.height, p.pitchInBytes};
  return r;
}

// Integers of up to 16 bits are read as numbers from 0 or -1 to 1, unless the flags say otherwise.
cudaTextureDesc texture_of(const CUDA_TEXTURE_DESC& d, const cudaResourceDesc& r) {
  cudaChannelFormatDesc format{};
  if (r.resType == cudaResourceTypeArray)
    cudaGetChannelDesc(&format, r.res.array.array);
  else
    format = r.resType == cudaResourceTypeLinear ? r.res.linear.desc : r.res.pitch2D.desc;
  const bool as_numbers =
      (d.flags & CU_TRSF_READ_AS_INTEGER) == 0 && format.x <= 16 && format.f != cudaChannelFormatKindFloat;
  cudaTextureDesc t{};
  for (int i = 0; i < 3; ++i) t.addressMode[i] = static_cast<cudaTextureAddressMode>(d.addressMode[i]);
  t.filterMode = static_cast<cudaTextureFilterMode>(d.filterMode);
  t.readMode = as_numbers ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.sRGB = (d.flags & CU_TRSF_SRGB) != 0;
  t.normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  std::copy_n(d.borderColor, 4, t.borderColor);
  return t;
}

}  // namespace

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what) {
  const auto format = array && what ? channels(what->Format, what->NumChannels) : std::nullopt;
  if (!format) return CUDA_ERROR_INVALID_VALUE;
  cudaArray_t made = nullptr;
  const cudaError_t failed = cudaMallocArray(&made, &*format, what->Width, what->Height);
  *array = reinterpret_cast<CUarray>(made);
  return result_of(failed);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* what, CUarray array) {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  if (!what) return CUDA_ERROR_INVALID_VALUE;
  if (const auto failed = cudaArrayGetInfo(&format, &extent, nullptr, array_of(array))) return result_of(failed);
  const auto row = std::ranges::find_if(formats, [&](auto& f) { return f.bits == format.x && f.kind == format.f; });
  const auto count = static_cast<unsigned>((format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0));
  *what = {extent.width, extent.height, row->format, count};
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray array) { return result_of(cudaFreeArray(array_of(array))); }

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream) {
  return what ? result_of(copy(*what, stream)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) {
  const CUresult failed = cuMemcpy2DAsync(what, nullptr);
  return failed == CUDA_SUCCESS ? result_of(cudaStreamSynchronize(nullptr)) : failed;
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) { return cuMemcpy2D(what); }

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* what,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  if (!texture || !resource || !what) return CUDA_ERROR_INVALID_VALUE;
  const auto wanted = resource_of(*resource);
  if (!wanted || view) {
    set_detail(hazard_kind::launch_error, "the simulator does not support mipmapped arrays and views of resources");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  const auto settings = texture_of(*what, *wanted);
  return result_of(cudaCreateTextureObject(texture, &*wanted, &settings, nullptr));
}

CUresult cuTexObjectDestroy(CUtexObject texture) { return result_of(cudaDestroyTextureObject(texture)); }
