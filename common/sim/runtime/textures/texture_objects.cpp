#include "sim/runtime/textures/texture_objects.hpp"

#include <deque>
#include <mutex>
#include <set>

namespace lab::sim {

namespace {

struct object_table {
  std::mutex guard;
  std::deque<view_object> objects;
  std::set<const view_object*> live;
  std::set<cudaArray_const_t> arrays;
};

object_table& all_objects() {
  static auto* const the = new object_table;  // never destroyed: a destructor may still free an array
  return *the;
}

const view_object* address_of(unsigned long long handle) {
  return reinterpret_cast<const view_object*>(static_cast<std::uintptr_t>(handle));
}

}  // namespace

unsigned bytes_of(const cudaChannelFormatDesc& f) {
  const bool same = (f.y == 0 || f.y == f.x) && (f.z == 0 || f.z == f.x) && (f.w == 0 || f.w == f.x);
  const bool gaps = (f.z > 0 && f.y == 0) || (f.w > 0) != (f.z > 0);
  const bool known = f.f == cudaChannelFormatKindFloat ? f.x == 16 || f.x == 32 : f.x == 8 || f.x == 16 || f.x == 32;
  if (!same || gaps || !known || f.f > cudaChannelFormatKindFloat) return 0;
  return static_cast<unsigned>(f.x / 8 * components_of(f));
}

// Kernels call this: it takes no lock.
const view_object* object_of(unsigned long long handle, object_kind kind) {
  if (handle < 65536) return nullptr;
  const auto* const object = address_of(handle);
  return object->kind == kind ? object : nullptr;
}

unsigned long long add_object(const view_object& object) {
  auto& all = all_objects();
  const std::lock_guard lock{all.guard};
  all.objects.push_back(object);
  all.live.insert(&all.objects.back());
  return reinterpret_cast<std::uintptr_t>(&all.objects.back());
}

bool destroy_object(unsigned long long handle, object_kind kind) {
  auto& all = all_objects();
  const std::lock_guard lock{all.guard};
  auto* const object = const_cast<view_object*>(address_of(handle));
  if (!all.live.contains(object) || object->kind != kind) return false;
  all.live.erase(object);
  object->kind = object_kind::destroyed;
  return true;
}

void add_array(cudaArray_t array) {
  const std::lock_guard lock{all_objects().guard};
  all_objects().arrays.insert(array);
}

bool remove_array(cudaArray_t array) {
  const std::lock_guard lock{all_objects().guard};
  return all_objects().arrays.erase(array) > 0;
}

bool is_array(cudaArray_const_t array) {
  const std::lock_guard lock{all_objects().guard};
  return all_objects().arrays.contains(array);
}

}  // namespace lab::sim
