#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grade/mutation/mutants.hpp"

namespace lab::grade {

/// A mutant that a lab accepts, because it computes the same.
struct equivalent_mutant {
  std::string before, after, reason;

  bool is(const mutant& made) const { return made.before == before && made.after == after; }
};

/// Reads solutions/NN_name/equivalent_mutants.txt: entries with an empty line between two of them. An entry begins with
/// the solution's line after "- ". A line after "+ " follows for each mutant, and then one line with the reason.
/// An absent file has no entries. @throws usage_error naming the line that is none of these
std::vector<equivalent_mutant> equivalent_mutants(const std::filesystem::path& file);

}  // namespace lab::grade
