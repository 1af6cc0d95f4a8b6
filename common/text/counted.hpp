#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lab {

/// "1 case" or "5 cases": a number and a word, which gets an s unless there is one.
template <class Number>
std::string counted(Number n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

}  // namespace lab
