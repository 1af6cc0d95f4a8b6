#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The last lines that a kernel printed, without control characters, indented; empty if it printed nothing.
std::string printed_output(std::string_view output);

}  // namespace lab
