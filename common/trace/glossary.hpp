#pragma once

#include "diagnosis/explanation.hpp"

namespace lab::judge {

/// Everything that `./lab explain` explains: verdicts, hazards, diagnoses and the metrics of gates.
std::vector<explanation> explanations();

/// All that explain this word; none if it is unknown.
std::vector<explanation> explanations_of(std::string_view word);

}  // namespace lab::judge
