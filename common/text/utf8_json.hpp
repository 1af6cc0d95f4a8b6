#pragma once

#include <string>

namespace lab {

/// The text as valid UTF-8 for JSON. Compilers and kernels may print any bytes; invalid ones become U+FFFD.
std::string as_utf8(const std::string& text);

}  // namespace lab
