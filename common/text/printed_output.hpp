#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The last lines of a kernel's output, indented and without control characters, and how many lines come before them;
/// empty if it printed nothing. With `incomplete` the output has more lines than are given here.
std::string printed_output(std::string_view output, bool incomplete = false);

}  // namespace lab
