#include "sim/runtime/symbols/debug_information.hpp"

#include <link.h>

#include <set>
#include <string>
#include <utility>

namespace lab::sim {

namespace {

// Tells libdw where a library is loaded. /proc/self/maps does not serve: libdw itself maps files there.
int report_library(dl_phdr_info* library, std::size_t, void* all) {
  static auto* const known = new std::set<std::pair<std::string, std::uintptr_t>>;  // used when the program ends
  const std::string file = *library->dlpi_name ? library->dlpi_name : "/proc/self/exe";
  if (known->emplace(file, library->dlpi_addr).second)
    dwfl_report_elf(static_cast<Dwfl*>(all), file.c_str(), file.c_str(), -1, library->dlpi_addr, true);
  return 0;
}

}  // namespace

library_view view_libraries() {
  static std::mutex guard;
  static char* no_path = nullptr;
  static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, nullptr, &no_path};
  std::unique_lock lock{guard};
  static Dwfl* const all = dwfl_begin(&callbacks);
  dwfl_report_begin_add(all);
  dl_iterate_phdr(report_library, all);
  dwfl_report_end(all, nullptr, nullptr);
  return {std::move(lock), all};
}

}  // namespace lab::sim
