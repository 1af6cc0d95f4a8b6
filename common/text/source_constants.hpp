#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// One `constexpr` variable of a C++ source, as in `constexpr int tile = 32;`.
struct source_constant {
  std::string name, value;                     ///< the value as it is written
  int line = 1;                                ///< of its name
  std::size_t value_begin = 0, value_end = 0;  ///< positions in the source
};

/// All of them, in the order of the source, also those inside functions and structures. Functions are none.
std::vector<source_constant> constants_in(const std::string& source);

/// The source with other values for some of its constants. The list comes from constants_in(source).
std::string with_values(std::string source, std::vector<std::pair<source_constant, std::string>> changes);

}  // namespace lab
