#pragma once

#include <vector>

#include "sim/labcc/analysis/code.hpp"

namespace lab::sim::loops {

/// A statement of a kernel. Inner statements are parsed only where a barrier or a jump may need them.
struct statement {
  enum class kind { plain, declaration, barrier, compound, branch, counted, repeated, jump };
  kind what = kind::plain;
  range all;                          // with the pragmas in front of it
  std::size_t begin = 0;              // after them
  range header;                       // what stands in the parentheses of an if or a loop
  std::vector<statement> inner = {};  // of a compound: all; else one, or two of an if with else
  bool has_barrier = false;
  bool leaves = false;  // by a break or continue for a loop around it
  bool returns = false;

  /// Whether all threads of a block execute it at the same time, so that it cannot be part of a loop over threads.
  bool is_of_block() const { return has_barrier || leaves; }
};

/// The statements of a body. Throws `declined` for what they cannot hold, such as conditionals of the preprocessor.
std::vector<statement> parse_body(const code& source, std::size_t open_brace);

}  // namespace lab::sim::loops
