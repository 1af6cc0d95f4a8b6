#include "diagnosis/explanation.hpp"

#include "text/markdown.hpp"

namespace lab::judge {

extern const std::string_view verdicts_markdown, diagnoses_markdown;  // verdicts.md, diagnoses.md

std::vector<explanation> explanations_in(std::string_view markdown, const std::string& about) {
  std::vector<explanation> all;
  for (auto& section : markdown_sections(markdown)) {
    section.paragraphs.resize(3);
    all.push_back({section.heading, about, section.paragraphs[0], section.paragraphs[1], section.paragraphs[2]});
  }
  return all;
}

std::vector<explanation> verdict_explanations() { return explanations_in(verdicts_markdown, "verdict"); }
std::vector<explanation> diagnosis_explanations() { return explanations_in(diagnoses_markdown, "diagnosis"); }

}  // namespace lab::judge
