#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::judge {

/// What a word of the reports means.
struct explanation {
  std::string word;     ///< "race"
  std::string about;    ///< "hazard in shared memory", "diagnosis" ...
  std::string meaning;  ///< one to three sentences
  std::string cause;    ///< its usual cause in the labs
  std::string next;     ///< one thing to do
};

/// One explanation for each section of a Markdown text: a heading, the meaning, the usual cause, what to do.
std::vector<explanation> explanations_in(std::string_view markdown, const std::string& about);

/// What verdicts.md and diagnoses.md explain.
std::vector<explanation> verdict_explanations();
std::vector<explanation> diagnosis_explanations();

}  // namespace lab::judge
