#include "runner/library_set.hpp"

#include <dlfcn.h>
#include <ffi.h>

#include <array>

#include "lab/element.hpp"

namespace lab::runner {

namespace {

ffi_type* type_of(const protocol::slot& slot) {
  if (slot.kind == protocol::slot_kind::array) return &ffi_type_pointer;
  switch (static_cast<element>(slot.element)) {
    case element::i32:
      return &ffi_type_sint32;
    case element::u32:
      return &ffi_type_uint32;
    case element::i64:
      return &ffi_type_sint64;
    case element::f32:
      return &ffi_type_float;
    case element::f64:
      return &ffi_type_double;
    case element::u8:
      return &ffi_type_uint8;
    case element::u16:
      return &ffi_type_uint16;
  }
  throw std::runtime_error("a request has an unknown element type");
}

}  // namespace

void* library_set::function(std::size_t library, const char* symbol) {
  void*& handle = handles_.at(library);
  if (!handle) handle = dlopen(paths_[library].c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw missing_symbol(dlerror());
  void* found = dlsym(handle, symbol);
  if (!found) throw missing_symbol(std::string{"it defines no function "} + symbol);
  return found;
}

void call_launcher(void* launcher, std::span<const protocol::slot> slots, std::span<void* const> pointers) {
  std::array<ffi_type*, protocol::most_slots> types{};
  std::array<void*, protocol::most_slots> values{};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    types[i] = type_of(slots[i]);
    const bool array = slots[i].kind == protocol::slot_kind::array;
    values[i] = const_cast<void*>(array ? static_cast<const void*>(&pointers[i]) : slots[i].value);
  }
  ffi_cif interface {};
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(slots.size()), &ffi_type_void, types.data()) !=
      FFI_OK)
    throw std::runtime_error("libffi refuses this signature");
  ffi_call(&interface, reinterpret_cast<void (*)()>(launcher), nullptr, values.data());
}

}  // namespace lab::runner
