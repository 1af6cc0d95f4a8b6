#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grade/mutation/equivalent.hpp"
#include "grade/mutation/mutants.hpp"
#include "lab/lab_definition.hpp"
#include "lab/verdict.hpp"

namespace lab::grade {

struct validation_options {
  std::size_t sample = 0;  ///< how many mutants to check, chosen by the seed; 0 for all
  std::uint64_t seed = 1;
  /// Called when the check of mutant i of n begins.
  std::function<void(std::size_t i, std::size_t n)> progress;
};

/// A mutant and what the check made of it.
struct validated_mutant {
  mutant made;
  std::string reason{};  ///< why it may pass, if the lab lists it
  verdict_kind verdict{};

  bool passes() const { return verdict == verdict_kind::pass; }
  bool listed() const { return passes() && !reason.empty(); }
  /// It passes, and the lab does not say why it may.
  bool survives() const { return passes() && reason.empty(); }
};

struct validation {
  std::vector<validated_mutant> mutants;
  std::vector<equivalent_mutant> unknown;  ///< listed, but no such mutant is made
  std::vector<equivalent_mutant> refuted;  ///< listed, but every such mutant was checked and failed
};

/// The list of equivalent mutants of a lab.
std::filesystem::path equivalents_of(const entry& lab);

/// The entries of that list that name no mutant of the solution. Checks no mutant.
std::vector<equivalent_mutant> unknown_entries(const entry& lab);

/// Checks mutants of the lab's solution on the simulator, as `lab check` does, listed ones too. Throws what reading the
/// files throws.
validation validate(const entry& lab, const validation_options& options);

}  // namespace lab::grade
