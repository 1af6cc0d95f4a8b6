#include "sim/runtime/symbols/program_memory.hpp"

#include <link.h>

#include <algorithm>
#include <mutex>

#include "lab_sim/device.h"

extern "C" void* __tls_get_addr(void* index);

namespace lab::sim {

namespace {

std::mutex program_memory_guard;
std::vector<std::uintptr_t>& compiled() {
  static auto* const addresses = new std::vector<std::uintptr_t>;  // one in each source's data
  return *addresses;
}

bool holds_compiled(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD) continue;
    for (const auto p : compiled())
      if (p >= begin && p < begin + segment.p_memsz) return true;
  }
  return false;
}

// dl_iterate_phdr does not report thread-local memory that the dynamic linker has not yet allocated.
std::uintptr_t thread_memory_of(std::size_t module) {
  unsigned long index[2] = {module, 0};
  return module == 0 ? 0 : reinterpret_cast<std::uintptr_t>(__tls_get_addr(index));
}

std::uintptr_t module_address(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_LOAD) return info.dlpi_addr + info.dlpi_phdr[i].p_vaddr;
  return 0;
}

int add_thread_memory(dl_phdr_info* info, std::size_t, void* into) {
  const auto data = holds_compiled(*info) ? thread_memory_of(info->dlpi_tls_modid) : 0;
  for (int i = 0; data != 0 && i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      static_cast<std::vector<memory_range>*>(into)->push_back(
          {data, data + info->dlpi_phdr[i].p_memsz, module_address(*info)});
  return 0;
}

// What the dynamic linker makes read-only: constants that hold addresses, such as the tables of virtual functions.
std::uintptr_t end_of_constants(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_GNU_RELRO)
      return info.dlpi_addr + info.dlpi_phdr[i].p_vaddr + info.dlpi_phdr[i].p_memsz;
  return 0;
}

int add_variables(dl_phdr_info* info, std::size_t, void* into) {
  if (!holds_compiled(*info)) return 0;
  const std::uintptr_t constants = end_of_constants(*info);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W))
      static_cast<std::vector<memory_range>*>(into)->push_back({std::min(std::max(begin, constants), end), end});
  }
  return 0;
}

template <class Visitor>
std::vector<memory_range> collected(Visitor visit) {
  const std::lock_guard lock{program_memory_guard};
  std::vector<memory_range> found;
  dl_iterate_phdr(visit, &found);
  return found;
}

}  // namespace

std::vector<memory_range> static_shared_memory() { return collected(add_thread_memory); }
std::vector<memory_range> program_variables() { return collected(add_variables); }

}  // namespace lab::sim

namespace lab_sim {

bool register_module(const void* address) {
  const std::lock_guard lock{lab::sim::program_memory_guard};
  lab::sim::compiled().push_back(reinterpret_cast<std::uintptr_t>(address));
  return true;
}

}  // namespace lab_sim
