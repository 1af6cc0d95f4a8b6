#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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
  std::optional<verdict_kind> verdict{};  ///< nothing for a listed mutant, which is not checked
  std::string reason{};                   ///< of a listed mutant

  /// It passes, and the lab does not say why it may.
  bool survives() const { return verdict == verdict_kind::pass; }
};

struct validation {
  std::vector<validated_mutant> mutants;
  std::vector<equivalent_mutant> stale;  ///< listed, but no such mutant is made any more; found only without a sample
};

/// The list of equivalent mutants of a lab.
std::filesystem::path equivalents_of(const entry& lab);

/// Checks mutants of the lab's solution on the simulator, as `lab check` does. Throws what reading the files throws.
validation validate(const entry& lab, const validation_options& options);

}  // namespace lab::grade
