#include "sim/runtime/symbols/source_lines.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "sim/runtime/symbols/debug_information.hpp"

namespace lab::sim {

namespace {

bool of_simulator(const char* file) { return std::strstr(file, "/lab_sim/") != nullptr; }
// The device headers of the labs wrap single instructions, so the student's line is the one that calls them. That holds
// for CCCL's headers, too.
bool of_library(const char* file) {
  for (const char* folder : {"/labs/device/", "/cccl/", "/thrust/"})
    if (std::strstr(file, folder)) return true;
  return of_simulator(file);
}

// The innermost function or block at an address. libdw looks for none in the local classes of an inlined function,
// whose own entry has no addresses; the lambda with which a kernel is launched is of such a class.
bool find_innermost(Dwarf_Die parent, Dwarf_Addr address, Dwarf_Die& found) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return false;
  do {
    const bool holds = dwarf_haspc(&child, address) > 0,
               has_addresses = dwarf_hasattr(&child, DW_AT_low_pc) || dwarf_hasattr(&child, DW_AT_ranges);
    if (holds) found = child;
    if ((holds || !has_addresses) && dwarf_haschildren(&child) > 0 && find_innermost(child, address, found))
      return true;
    if (holds) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// From the innermost outwards.
int scopes_at(Dwarf_Die* unit, Dwarf_Addr address, Dwarf_Die** scopes) {
  Dwarf_Die* known = nullptr;
  Dwarf_Die innermost;
  const bool in_known = dwarf_getscopes(unit, address, &known) > 0;
  if (in_known) innermost = *known;
  std::free(known);
  return in_known || find_innermost(*unit, address, innermost) ? dwarf_getscopes_die(&innermost, scopes) : 0;
}

// The innermost inlined call that is not in a library's header, else the innermost that is not in the simulator's.
source_line caller_of(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  Dwarf_Die* scopes = nullptr;
  const int n = unit ? scopes_at(unit, address - bias, &scopes) : 0;
  source_line found, in_library;
  if (n > 0 && dwarf_getsrcfiles(unit, &files, &count) == 0)
    for (int i = 0; i < n && found.line == 0; ++i) {
      Dwarf_Attribute file, line;
      Dwarf_Word file_number = 0, line_number = 0;
      if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
      if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &file), &file_number) != 0) continue;
      if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &line), &line_number) != 0) continue;
      const char* const name = dwarf_filesrc(files, file_number, nullptr, nullptr);
      if (!name || of_simulator(name)) continue;
      auto& caller = of_library(name) ? in_library : found;
      if (caller.line == 0) caller = {name, static_cast<int>(line_number)};
    }
  std::free(scopes);
  return found.line > 0 ? found : in_library;
}

source_line source_line_at(const void* pc) {
  const auto libraries = view_libraries();
  const Dwarf_Addr address = reinterpret_cast<Dwarf_Addr>(pc) - 1;
  Dwfl_Module* const module = dwfl_addrmodule(libraries.all, address);
  Dwfl_Line* const line = module ? dwfl_module_getsrc(module, address) : nullptr;
  if (!line) return {};
  int number = 0;
  const char* const file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (!file) return {};
  const source_line here{file, number}, caller = of_library(file) ? caller_of(module, address) : here;
  const source_line& found = caller.line == 0 && !of_simulator(file) ? here : caller;
  return {std::filesystem::path{found.file}.filename().string(), found.line};
}

std::set<const void*>& places() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

}  // namespace

const source_place* place_at(const void* p) {
  return places().contains(p) ? static_cast<const source_place*>(p) : nullptr;
}

void make_known(const void* place) {
  if (place) places().insert(place);
}

bool same_place(const void* one, const void* other) {
  const source_place *const a = place_at(one), *const b = place_at(other);
  if (one == other || !a || !b) return one == other;
  return a->line == b->line && a->column == b->column && std::string_view{a->file} == b->file;
}

source_line line_of(const void* pc) {
  static auto* const known = new std::map<const void*, source_line>;
  const auto at = known->find(pc);
  if (at != known->end()) return at->second;
  if (const auto* place = place_at(pc))
    return {std::filesystem::path{place->file}.filename().string(), static_cast<int>(place->line)};
  return known->emplace(pc, source_line_at(pc)).first->second;
}

}  // namespace lab::sim
