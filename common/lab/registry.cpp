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

bool fits(const entry& e, std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return std::stoi(e.name) == number;
  return e.name.find(text) != std::string::npos;
}

}  // namespace

const std::vector<entry>& labs() { return registry(); }

const entry& find(std::string_view text) {
  std::vector<const entry*> found;
  for (const auto& e : labs()) {
    if (e.name == text) return e;
    if (fits(e, text)) found.push_back(&e);
  }
  if (found.size() == 1) return *found.front();
  std::vector<std::string> names;
  for (const auto* e : found) names.push_back(e->name);
  if (names.empty()) throw usage_error(fmt::format("no lab is called \"{}\"; './lab list' shows them all", text));
  throw usage_error(fmt::format("\"{}\" fits several labs: {}", text, fmt::join(names, ", ")));
}

registration::registration(std::string name, lab_definition c) {
  auto& all = registry();
  const auto at = std::ranges::lower_bound(all, name, {}, &entry::name);
  all.insert(at, {std::move(name), std::move(c)});
}

}  // namespace lab
