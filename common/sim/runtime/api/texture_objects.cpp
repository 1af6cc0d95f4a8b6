#include "sim/runtime/textures/texture_objects.hpp"

#include <algorithm>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/device_memory.hpp"

// Texture and surface objects.

using namespace lab::sim;

namespace {

constexpr std::size_t pitch_unit = 32;  // texturePitchAlignment

cudaError_t unsupported(const char* what) {
  set_detail(hazard_kind::launch_error, std::string{"the simulator does not support "} + what);
  return cudaErrorNotSupported;
}

int whole(std::size_t n) { return static_cast<int>(std::max<std::size_t>(n, 1)); }

cudaError_t view_of_array(cudaArray_const_t array, texel_view& view) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  const auto& e = array->extent;
  view = {array->memory,
          whole(e.width),
          whole(e.height),
          whole(e.depth),
          e.width * bytes_of(array->format),
          bytes_of(array->format),
          array->format,
          (array->flags & (cudaArrayLayered | cudaArrayCubemap)) != 0};
  return cudaSuccess;
}

cudaError_t view_of_memory(void* memory, const cudaChannelFormatDesc& format, std::size_t width, std::size_t height,
                           std::size_t pitch, texel_view& view) {
  const unsigned bytes = bytes_of(format);
  if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
  const auto at = find(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (!at || width == 0 || height == 0 || address % bytes != 0) return cudaErrorInvalidValue;
  if (height > 1 && (pitch % pitch_unit != 0 || pitch < width * bytes)) return cudaErrorInvalidValue;
  if (!at->holds(address, pitch * (height - 1) + width * bytes)) return cudaErrorInvalidValue;
  view = {static_cast<char*>(memory), whole(width), whole(height), 1, pitch, bytes, format, false};
  return cudaSuccess;
}

cudaError_t view_of(const cudaResourceDesc& resource, texel_view& view) {
  const auto& all = resource.res;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return view_of_array(all.array.array, view);
    case cudaResourceTypeLinear: {
      const std::size_t bytes = bytes_of(all.linear.desc);
      const std::size_t count = bytes > 0 ? all.linear.sizeInBytes / bytes : 0;
      return view_of_memory(all.linear.devPtr, all.linear.desc, count, 1, count * bytes, view);
    }
    case cudaResourceTypePitch2D:
      return view_of_memory(all.pitch2D.devPtr, all.pitch2D.desc, all.pitch2D.width, all.pitch2D.height,
                            all.pitch2D.pitchInBytes, view);
    case cudaResourceTypeMipmappedArray:
      return unsupported("mipmapped arrays");
  }
  return cudaErrorInvalidValue;
}

cudaError_t check_settings(const texel_view& view, const cudaTextureDesc& t) {
  const bool floats = view.format.f == cudaChannelFormatKindFloat;
  const bool wide = !floats && view.format.x == 32;  // no float has room for it
  const bool read_as_floats = floats || (t.readMode == cudaReadModeNormalizedFloat && !wide);
  if (t.sRGB && view.format.f == cudaChannelFormatKindUnsigned && view.format.x == 8)  // others ignore it
    return unsupported("the conversion of sRGB colors");
  if (t.filterMode == cudaFilterModeLinear && !read_as_floats) return cudaErrorInvalidFilterSetting;
  if (t.readMode == cudaReadModeNormalizedFloat && wide) return cudaErrorInvalidNormSetting;
  return cudaSuccess;
}

cudaError_t make(unsigned long long* handle, object_kind kind, const cudaResourceDesc& resource,
                 const cudaTextureDesc& texture) {
  view_object object{kind, {}, resource, texture};
  cudaError_t failed = view_of(resource, object.view);
  if (failed == cudaSuccess) failed = check_settings(object.view, texture);
  if (failed == cudaSuccess) *handle = add_object(object);
  return failed;
}

cudaError_t destroy(unsigned long long handle, object_kind kind) {
  return call([&] { return handle == 0 || destroy_object(handle, kind) ? cudaSuccess : cudaErrorInvalidValue; });
}

template <class T>
cudaError_t answer_of(unsigned long long handle, object_kind kind, T* where, T view_object::*member) {
  return call([&] {
    const auto* const object = object_of(handle, kind);
    return object && where ? (*where = object->*member, cudaSuccess) : cudaErrorInvalidValue;
  });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  return call([&] {
    if (!object || !resource || !texture) return cudaErrorInvalidValue;
    return view ? unsupported("views of a resource") : make(object, object_kind::texture, *resource, *texture);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object, object_kind::texture); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return answer_of(object, object_kind::texture, resource, &view_object::resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return answer_of(object, object_kind::texture, texture, &view_object::texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return call([&] {
    if (!object || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    return make(object, object_kind::surface, *resource, {});
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object, object_kind::surface); }

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return answer_of(object, object_kind::surface, resource, &view_object::resource);
}
