#pragma once

#include <string>
#include <vector>

namespace lab::judge {

/// One function of a C++ source, outside of classes.
struct source_function {
  std::string name;
  int first_line = 1, last_line = 1;  ///< from its signature to its closing brace
  std::string code;                   ///< both, without comments and strings
};

/// All of them, in the order of the source.
std::vector<source_function> functions_in(const std::string& source);

/// Those that a call of `name` cannot reach, as far as names tell: each function counts as used by every function that
/// contains its name. None if the source has no function of this name.
std::vector<source_function> functions_unreached_from(const std::string& source, const std::string& name);

}  // namespace lab::judge
