#include <link.h>

#include <string>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_variables.hpp"

// Texts in place of variables.

using namespace lab::sim;

namespace {

bool is_variable(std::uintptr_t address) {
  const variable* const v = variable_at_or_before(address);
  return v && address - v->begin < v->bytes;
}

// Whether the address is in a part of a program or library that cannot be written: a text, and no variable.
bool is_fixed(std::uintptr_t address) {
  const auto looks = [](dl_phdr_info* object, std::size_t, void* wanted) {
    const auto at = *static_cast<const std::uintptr_t*>(wanted) - object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type == PT_LOAD && at - part.p_vaddr < part.p_memsz) return (part.p_flags & PF_W) == 0 ? 1 : 2;
    }
    return 0;
  };
  return dl_iterate_phdr(looks, &address) == 1;
}

}  // namespace

// A template's variable is not known by name, but it can be written.
cudaError_t lab_sim::refuse_text(const void* symbol, size_t size) {
  const void* const pc = __builtin_return_address(0);
  const void* const text = size == 0 ? *static_cast<const char* const*>(symbol) : symbol;
  if (is_variable(reinterpret_cast<std::uintptr_t>(symbol)) || !is_fixed(reinterpret_cast<std::uintptr_t>(text)))
    return cudaSuccess;
  return call([&] {
    const std::string name{static_cast<const char*>(text)};
    const std::string why = "\"" + name + "\" is a text, which CUDA has refused since version 5; name the variable " +
                            name + " itself, without quotation marks";
    set_detail(hazard_kind::launch_error, why);
    trace::refused("", "copies", why, pc);
    return cudaErrorInvalidSymbol;
  });
}
