#include "sim/runtime/symbols/static_pointers.hpp"

#include <link.h>

#include <cstring>

namespace lab::sim {

namespace {

struct search {
  const std::set<std::uintptr_t>& wanted;
  std::set<std::uintptr_t> found;
};

void search_segment(search& task, std::uintptr_t begin, std::size_t bytes) {
  for (auto at = (begin + 7) & ~std::uintptr_t{7}; at + sizeof(std::uintptr_t) <= begin + bytes; at += 8) {
    std::uintptr_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    if (task.wanted.contains(value)) task.found.insert(value);
  }
}

int search_module(dl_phdr_info* module, std::size_t, void* task) {
  if (std::strstr(module->dlpi_name, "liblab-sim")) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    const bool writable = segment.p_type == PT_LOAD && (segment.p_flags & PF_W) && (segment.p_flags & PF_R);
    if (writable) search_segment(*static_cast<search*>(task), module->dlpi_addr + segment.p_vaddr, segment.p_memsz);
  }
  return 0;
}

}  // namespace

std::set<std::uintptr_t> held_by_static_variables(const std::set<std::uintptr_t>& addresses) {
  search task{addresses, {}};
  if (!addresses.empty()) dl_iterate_phdr(search_module, &task);
  return task.found;
}

}  // namespace lab::sim
