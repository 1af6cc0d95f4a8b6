#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/labcc/analysis/functions.hpp"

namespace lab::sim::loops {

/// A parameter of a function or a template.
struct parameter {
  std::string_view name;
  range type;  // with its asterisks
  bool is_type = false, is_array = false, is_pointer = false, is_reference = false, is_const = false;
  bool is_volatile = false, is_group = false;
};

/// A function of the source that can take the place of its call. The constructor throws `declined` if it cannot.
struct callee {
  callee(const code& source, range definition);

  std::size_t name;
  range result;  // its type
  std::vector<parameter> parameters, types;
  range body;           // with its braces
  bool returns = true;  // a value

 private:
  void read_head(const code& c);
};

/// The parts between the commas of a list.
std::vector<range> list_parts(const code& c, range list);

/// Whether this function of the source, or a function that it calls, has a barrier of the block.
bool waits(const code& c, const functions& all, std::string_view name);

}  // namespace lab::sim::loops
