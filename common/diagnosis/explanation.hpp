#pragma once

#include <string_view>
#include <vector>

namespace lab::judge {

/// What a word of the reports means. The texts stand beside what they explain: verdict_text, hazard_text,
/// diagnosis_text and gates.
struct explanation {
  std::string_view word;     ///< "race"
  std::string_view about;    ///< "hazard in shared memory", "diagnosis" ...
  std::string_view meaning;  ///< one or two sentences
  std::string_view cause;    ///< what it mostly comes from in the labs
  std::string_view next;     ///< one thing to do
};

/// Every verdict that is not a hazard's, then hazards, diagnoses and what gates limit.
std::vector<explanation> explanations();

/// All that explain this word; none if it is unknown.
std::vector<explanation> explanations_of(std::string_view word);

// Their parts.
std::vector<explanation> verdict_explanations();
std::vector<explanation> hazard_explanations();
std::vector<explanation> diagnosis_explanations();
std::vector<explanation> gate_explanations();

}  // namespace lab::judge
