#include "lab/launcher.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <memory>

namespace lab::detail {

std::string symbol(std::string_view name, std::string_view function_type) {
  // "Fv" means a function that returns void; "E" ends it. Substitutions have the same numbers in both names.
  if (!function_type.starts_with("Fv") || !function_type.ends_with('E'))
    throw std::logic_error(fmt::format("unexpected type name {} of launcher {}", function_type, name));
  return fmt::format("_Z{}{}{}", name.size(), name, function_type.substr(2, function_type.size() - 3));
}

std::string declaration(std::string_view name, std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text{
      abi::__cxa_demangle(std::string{symbol}.c_str(), nullptr, nullptr, &status), &std::free};
  if (status != 0) throw std::logic_error(fmt::format("cannot demangle {} of launcher {}", symbol, name));
  std::string spelled = text.get();
  for (std::size_t found; (found = spelled.find(" const*")) != std::string::npos;) {
    const auto start = spelled.find_last_of("(,", found);
    const auto type = start + (spelled[start] == ',' ? 2 : 1);
    spelled.erase(found, 6).insert(type, "const ");
  }
  return "void " + spelled;
}

}  // namespace lab::detail
