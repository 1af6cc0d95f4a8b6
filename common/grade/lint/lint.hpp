#pragma once

#include <string>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab::grade {

/// One answer of a lazy kernel, and the number of a launcher's cases in which the judge refuses it.
struct lint_row {
  std::string launcher, answer;
  int cases = 0;    ///< those in which it differs from the right answer
  int refused = 0;  ///< of these cases
  bool must_pass = false;
  std::string trouble{};  ///< the mistake in the lab definition; empty if there is none
};

/// Shows whether a lab's cases distinguish right answers from wrong ones. At least one case of each launcher must
/// refuse zeros, a constant, an input, an old answer, all but the last element, an answer rounded to bfloat16, and an
/// answer that ignores an input. All cases must accept sums in another order.
std::vector<lint_row> lint(const lab_definition& definition);

}  // namespace lab::grade
