#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

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

// "void ns::k<int>(int*)" is ns::k<int>.
std::string plain_name(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> words{abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free};
  std::string name = status == 0 ? words.get() : symbol;
  const std::string unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != name.npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  int depth = 0;
  std::size_t begin = 0, end = name.size();
  for (std::size_t i = 0; i < name.size() && end == name.size(); ++i) {
    const char c = name[i];
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth == 0 && c == ' ') begin = i + 1;
    if (depth == 0 && c == '(') end = i;
  }
  return name.substr(begin, end - begin);
}

Dwfl* program() {
  static char* no_path = nullptr;
  static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr, &no_path};
  Dwfl* const all = dwfl_begin(&callbacks);
  dwfl_linux_proc_report(all, getpid());
  dwfl_report_end(all, nullptr, nullptr);
  return all;
}

kernel_symbol look_up(const void* kernel) {
  Dwfl* const all = program();
  const auto address = reinterpret_cast<Dwarf_Addr>(kernel);
  Dwfl_Module* const module = dwfl_addrmodule(all, address);
  const char* const name = module ? dwfl_module_addrname(module, address) : nullptr;
  kernel_symbol found;
  if (name) found.name = plain_name(name);
  if (name && std::string_view{name}.starts_with("_Z"))
    found.static_shared = sum_of(module, "_ZZ" + std::string{name + 2} + "E");
  dwfl_end(all);
  return found;
}

}  // namespace

const kernel_symbol& symbol_of(const void* kernel) {
  static std::mutex guard;
  static auto* const known = new std::map<const void*, kernel_symbol>;
  const std::lock_guard lock{guard};
  const auto at = known->find(kernel);
  if (at != known->end()) return at->second;
  return known->emplace(kernel, kernel ? look_up(kernel) : kernel_symbol{}).first->second;
}

std::string variable_name_at(const void* address) {
  Dwfl* const all = program();
  const auto p = reinterpret_cast<Dwarf_Addr>(address);
  Dwfl_Module* const module = dwfl_addrmodule(all, p);
  GElf_Sym symbol;
  GElf_Off offset = 0;
  const char* const name =
      module ? dwfl_module_addrinfo(module, p, &offset, &symbol, nullptr, nullptr, nullptr) : nullptr;
  std::string found;
  if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && offset < symbol.st_size) found = plain_name(name);
  dwfl_end(all);
  return found.starts_with("lab_") ? "" : found;  // labcc's own
}

}  // namespace lab::sim
