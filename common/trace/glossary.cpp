#include "trace/glossary.hpp"

#include <algorithm>
#include <cctype>

#include "text/lower_case.hpp"
#include "text/markdown.hpp"
#include "trace/gates.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

extern const std::string_view glossary_markdown;  // labs/glossary.md

namespace {

constexpr std::string_view also = "Also called: ";

// The heading, then what "Also called: data race, ..." lists.
std::vector<std::string> names_in(const markdown_section& section) {
  std::vector<std::string> names{section.heading};
  std::string_view others = section.paragraphs[2];
  while (!others.empty()) {
    const auto comma = std::min(others.find(", "), others.size());
    names.emplace_back(others.substr(0, comma));
    others.remove_prefix(std::min(comma + 2, others.size()));
  }
  return names;
}

std::string without_plural(std::string name) {
  name = lower_case(std::move(name));
  std::ranges::replace_if(
      name, [](char letter) { return letter == '-' || letter == '_'; }, ' ');
  if (name.ends_with('s') && !name.ends_with("ss")) name.pop_back();
  return name;
}

}  // namespace

const std::vector<term>& terms() {
  static const auto all = [] {
    std::vector<term> read;
    for (auto& section : markdown_sections(glossary_markdown, 3)) {
      section.paragraphs.resize(3);
      if (section.paragraphs[2].starts_with(also)) section.paragraphs[2].erase(0, also.size());
      read.push_back({names_in(section), section.parent, section.paragraphs[0], section.paragraphs[1]});
    }
    return read;
  }();
  return all;
}

const term* term_of(std::string_view name) {
  const auto wanted = without_plural(std::string{name});
  for (const auto& one : terms())
    for (const auto& known : one.names)
      if (without_plural(known) == wanted) return &one;
  return nullptr;
}

std::vector<explanation> explanations() {
  std::vector<explanation> all;
  for (const auto part : {verdict_explanations, hazard_explanations, diagnosis_explanations, metric_explanations})
    for (auto& one : part()) all.push_back(std::move(one));
  return all;
}

std::vector<explanation> explanations_of(std::string_view word) {
  auto all = explanations();
  std::erase_if(all, [&](const explanation& one) { return one.word != word; });
  return all;
}

}  // namespace lab::judge
