#include "trace/glossary.hpp"

#include <algorithm>
#include <cctype>

#include "text/markdown.hpp"
#include "trace/gates.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

extern const std::string_view glossary_markdown;  // labs/glossary.md

namespace {

// "FMA, multiply-add" has two names.
std::vector<std::string> names_in(std::string_view heading) {
  std::vector<std::string> names;
  while (true) {
    const auto comma = heading.find(", ");
    names.emplace_back(heading.substr(0, comma));
    if (comma == heading.npos) return names;
    heading.remove_prefix(comma + 2);
  }
}

std::string without_plural(std::string name) {
  for (char& c : name) c = c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.ends_with('s') && !name.ends_with("ss")) name.pop_back();
  return name;
}

}  // namespace

const std::vector<term>& terms() {
  static const auto all = [] {
    std::vector<term> read;
    for (auto& section : markdown_sections(glossary_markdown, 3)) {
      section.paragraphs.resize(2);
      read.push_back({names_in(section.heading), section.parent, section.paragraphs[0], section.paragraphs[1]});
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
