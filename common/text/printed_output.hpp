#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The last 600 bytes of a kernel's output, indented and without control characters; empty if it printed nothing.
std::string printed_output(std::string_view output);

}  // namespace lab
