#pragma once

#include "diagnosis/explanation.hpp"

namespace lab::judge {

/// A term of the lessons, from labs/glossary.md.
struct term {
  std::vector<std::string> names;  ///< the term, then other names of it
  std::string group;               ///< "Threads", "Memory" ...
  std::string meaning;             ///< two to four sentences
  std::string see;                 ///< "See lab 03."
};

/// All terms, in the order of the glossary.
const std::vector<term>& terms();

/// The term of this name; null if there is none. Capitals, "-" or "_" for a blank, and a plural's s do not matter.
const term* term_of(std::string_view name);

/// The words of the messages that `./lab explain` explains: verdicts, hazards, diagnoses and the metrics of gates.
std::vector<explanation> explanations();

/// All that explain this word; none if it is unknown.
std::vector<explanation> explanations_of(std::string_view word);

}  // namespace lab::judge
