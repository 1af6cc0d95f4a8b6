#include <elf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "device.hpp"

// Reads symbol tables: the __shared__ variable `s` of a kernel `_Z1kPi` is the thread-local `_ZZ1kPiE1s`.

namespace lab::sim {

namespace {

std::size_t sum_of(Dwfl_Module* module, const std::string& prefix) {
  std::size_t bytes = 0;
  const int n = dwfl_module_getsymtab(module);
  for (int i = 0; i < n; ++i) {
    GElf_Sym symbol;
    const char* const name = dwfl_module_getsym(module, i, &symbol, nullptr);
    const bool shared = name && GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF;
    if (shared && std::string_view{name}.starts_with(prefix)) bytes += symbol.st_size;
  }
  return bytes;
}

std::size_t look_up(const void* kernel) {
  static char* no_path = nullptr;
  static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr, &no_path};
  Dwfl* const all = dwfl_begin(&callbacks);
  dwfl_linux_proc_report(all, getpid());
  dwfl_report_end(all, nullptr, nullptr);
  const auto address = reinterpret_cast<Dwarf_Addr>(kernel);
  Dwfl_Module* const module = dwfl_addrmodule(all, address);
  const char* const name = module ? dwfl_module_addrname(module, address) : nullptr;
  const bool mangled = name && std::string_view{name}.starts_with("_Z");
  const std::size_t bytes = mangled ? sum_of(module, "_ZZ" + std::string{name + 2} + "E") : 0;
  dwfl_end(all);
  return bytes;
}

}  // namespace

std::size_t static_shared_of(const void* kernel) {
  static std::mutex guard;
  static auto* const known = new std::map<const void*, std::size_t>;
  const std::lock_guard lock{guard};
  const auto at = known->find(kernel);
  if (at != known->end()) return at->second;
  return kernel ? known->emplace(kernel, look_up(kernel)).first->second : 0;
}

}  // namespace lab::sim
