#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "lab/lab_definition.hpp"

namespace lab {

namespace {

std::vector<entry>& registry() {
  static std::vector<entry> all;
  return all;
}

bool matches(const entry& lab, std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return std::stoi(lab.name) == number;
  return lab.name.find(text) != std::string::npos;
}

}  // namespace

const std::vector<entry>& labs() { return registry(); }

const entry& find(std::string_view text) {
  std::vector<const entry*> found;
  for (const auto& lab : labs()) {
    if (lab.name == text) return lab;
    if (matches(lab, text)) found.push_back(&lab);
  }
  if (found.size() == 1) return *found.front();
  std::vector<std::string> names;
  for (const auto* lab : found) names.push_back(lab->name);
  if (names.empty()) throw usage_error(fmt::format("no lab matches \"{}\"; './lab list' shows all labs", text));
  throw usage_error(fmt::format("\"{}\" matches several labs: {}", text, fmt::join(names, ", ")));
}

registration::registration(std::string name, lab_definition definition) {
  auto& all = registry();
  const auto at = std::ranges::lower_bound(all, name, {}, &entry::name);
  all.insert(at, {std::move(name), std::move(definition)});
}

}  // namespace lab
