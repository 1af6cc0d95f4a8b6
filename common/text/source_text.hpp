#pragma once

#include <string>

namespace lab {

/// The same text with spaces in place of comments, strings, character constants and preprocessor directives. Positions
/// and line ends stay where they are.
std::string only_code(const std::string& source);

/// The position of the bracket that closes the one at `open`; npos if there is none.
std::size_t closing_bracket(const std::string& code, std::size_t open);

}  // namespace lab
