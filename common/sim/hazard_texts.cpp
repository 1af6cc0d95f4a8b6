#include "sim/hazard_texts.hpp"

#include <vector>

#include "text/markdown.hpp"

namespace lab::sim {

extern const std::string_view hazards_markdown;  // hazards.md

namespace {

struct entry {
  std::string kind, space;
  hazard_text text;
};

// "race in shared memory" -> "race", "shared"
entry read(const markdown_section& section) {
  const auto in = section.heading.find(" in ");
  const auto space = in == std::string::npos ? "" : section.heading.substr(in + 4);
  entry found{section.heading.substr(0, in), space.substr(0, space.find(' ')), {}};
  std::string* const parts[] = {&found.text.meaning, &found.text.cause, &found.text.advice};
  for (std::size_t i = 0; i < 3 && i < section.paragraphs.size(); ++i) *parts[i] = section.paragraphs[i];
  return found;
}

const std::vector<entry>& entries() {
  // Never destroyed: a program reports its hazards when its static objects are destroyed.
  static const auto* const all = [] {
    auto* const read_in = new std::vector<entry>;
    for (const auto& section : markdown_sections(hazards_markdown)) read_in->push_back(read(section));
    return read_in;
  }();
  return *all;
}

}  // namespace

const hazard_text& hazard_text_of(std::string_view kind, std::string_view space) {
  static const auto* const unknown = new hazard_text;
  const hazard_text* found = unknown;
  for (const auto& e : entries()) {
    if (e.kind != kind) continue;
    found = &e.text;
    if (e.space == space) break;
  }
  return *found;
}

}  // namespace lab::sim
