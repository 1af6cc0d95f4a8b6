#pragma once

#include <string>

namespace lab {

/// The text as UTF-8, which JSON is: compilers and kernels print any bytes, and what is not UTF-8 becomes U+FFFD.
std::string as_utf8(const std::string& text);

}  // namespace lab
