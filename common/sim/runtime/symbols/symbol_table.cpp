#include "sim/runtime/symbols/symbol_table.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sim/runtime/symbols/debug_information.hpp"

// Reads symbol tables: the __shared__ variable `s` of a kernel `_Z1kPi` is the thread-local `_ZZ1kPiE1s`.

namespace lab::sim {

namespace {

template <class Use>
void for_each_shared(Dwfl_Module* module, Use use) {
  const int n = dwfl_module_getsymtab(module);
  for (int i = 0; i < n; ++i) {
    GElf_Sym symbol;
    GElf_Addr moved = 0;  // includes the load address, which thread-local symbols do not need
    const char* const name = dwfl_module_getsym_info(module, i, &symbol, &moved, nullptr, nullptr, nullptr);
    if (name && GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF) use(name, symbol);
  }
}

std::size_t sum_of(Dwfl_Module* module, const std::string& prefix) {
  std::size_t bytes = 0;
  for_each_shared(module, [&](std::string_view name, const GElf_Sym& symbol) {
    if (name.starts_with(prefix)) bytes += symbol.st_size;
  });
  return bytes;
}

// "void k<4>(int*)::s" is s.
std::string last_name(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> words{abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free};
  const std::string name = status == 0 ? words.get() : symbol;
  const auto scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

std::vector<shared_variable> shared_of(std::uintptr_t module_address) {
  const auto libraries = view_libraries();
  std::vector<shared_variable> found;
  if (Dwfl_Module* const module = dwfl_addrmodule(libraries.all, module_address))
    for_each_shared(module, [&](const char* name, const GElf_Sym& symbol) {
      const bool guards = std::string_view{name}.starts_with("_ZGV");
      found.push_back({symbol.st_value, symbol.st_size, guards ? "" : last_name(name)});
    });
  return found;
}

kernel_symbol kernel_symbol_of(const void* kernel) {
  const auto libraries = view_libraries();
  const auto address = reinterpret_cast<Dwarf_Addr>(kernel);
  Dwfl_Module* const module = dwfl_addrmodule(libraries.all, address);
  const char* const name = module ? dwfl_module_addrname(module, address) : nullptr;
  kernel_symbol found;
  if (name) found.name = plain_name(name), found.symbol = name;
  if (name && std::string_view{name}.starts_with("_Z"))
    found.static_shared = sum_of(module, "_ZZ" + std::string{name + 2} + "E");
  return found;
}

}  // namespace

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

const kernel_symbol& symbol_of(const void* kernel) {
  static std::mutex guard;
  static auto* const known = new std::map<const void*, kernel_symbol>;
  const std::lock_guard lock{guard};
  const auto at = known->find(kernel);
  if (at != known->end()) return at->second;
  return known->emplace(kernel, kernel ? kernel_symbol_of(kernel) : kernel_symbol{}).first->second;
}

const std::vector<shared_variable>& shared_variables_of(std::uintptr_t module_address) {
  static auto* const known = new std::map<std::uintptr_t, std::vector<shared_variable>>;
  const auto at = known->find(module_address);
  return at != known->end() ? at->second : known->emplace(module_address, shared_of(module_address)).first->second;
}

std::string variable_name_at(const void* address) {
  const auto libraries = view_libraries();
  const auto p = reinterpret_cast<Dwarf_Addr>(address);
  Dwfl_Module* const module = dwfl_addrmodule(libraries.all, p);
  GElf_Sym symbol;
  GElf_Off offset = 0;
  const char* const name =
      module ? dwfl_module_addrinfo(module, p, &offset, &symbol, nullptr, nullptr, nullptr) : nullptr;
  std::string found;
  if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && offset < symbol.st_size) found = plain_name(name);
  return found.starts_with("lab_") ? "" : found;  // labcc's own
}

}  // namespace lab::sim
