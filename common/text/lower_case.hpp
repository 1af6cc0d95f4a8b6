#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace lab {

/// The text with its ASCII letters in lower case.
inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

}  // namespace lab
