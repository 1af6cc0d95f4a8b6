#pragma once

#include <string>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab::grade {

/// One answer that a lazy kernel could give, and in how many of a launcher's cases the judge refuses it.
struct lint_row {
  std::string launcher, answer;
  int cases = 0;    ///< in which it differs from the right answer
  int refused = 0;  ///< of these
  bool must_pass = false;
  std::string trouble{};  ///< what is wrong with the card; empty if nothing is
};

/// Shows whether a card can tell right from wrong: zeros, a constant, an input, an old answer, all but the last element
/// and an answer rounded to bfloat16 must be refused in some case of each launcher; sums in another order must pass in
/// all, and every input must matter.
std::vector<lint_row> lint(const lab_definition& c);

}  // namespace lab::grade
