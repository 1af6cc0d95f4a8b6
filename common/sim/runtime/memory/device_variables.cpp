#include "sim/runtime/memory/device_variables.hpp"

#include <map>
#include <mutex>

#include "lab_sim/device.h"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

namespace lab::sim {

std::uintptr_t first_variable = 0, all_variables_bytes = 0;

namespace {

std::mutex variables_guard;
std::map<std::uintptr_t, variable>& variables() {
  static auto* const all = new std::map<std::uintptr_t, variable>;
  return *all;
}

std::string words_of(const variable& found) {
  return std::string{found.qualifier} + " variable " + found.name + " (" + std::to_string(found.bytes) + " bytes)";
}

void extend(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t old_end = first_variable + all_variables_bytes, end = std::max(old_end, begin + bytes);
  if (all_variables_bytes == 0 || begin < first_variable) first_variable = begin;
  all_variables_bytes = end - first_variable;
}

}  // namespace

const variable* variable_at_or_before(std::uintptr_t address) {
  const std::lock_guard lock{variables_guard};
  const auto after = variables().upper_bound(address);
  return after == variables().begin() ? nullptr : &std::prev(after)->second;
}

variable_place describe_variable(std::uintptr_t address) {
  const variable* const v = variable_at_or_before(address);
  if (v && address - v->begin < v->bytes)
    return {"byte " + std::to_string(address - v->begin) + " of " + words_of(*v), false};
  const std::string host = variable_name_at(reinterpret_cast<const void*>(address));
  if (!host.empty() || !v) return {"the host's variable " + host, true};
  return {std::to_string(address - v->begin - v->bytes) + " bytes past the end of " + words_of(*v), false};
}

}  // namespace lab::sim

namespace lab_sim {

bool register_variable(const volatile void* at, size_t bytes, const char* name, const char* qualifier,
                       bool initialized) {
  using namespace lab::sim;
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  {
    const std::lock_guard lock{variables_guard};
    if (!variables().emplace(begin, variable{begin, bytes, name, qualifier}).second) return true;
    if (qualifier[2] != 'm') extend(begin, bytes);
  }
  const bool constant = qualifier[2] == 'c';
  trace::declared(begin, bytes, constant, initialized || !constant);
  return true;
}

}  // namespace lab_sim
