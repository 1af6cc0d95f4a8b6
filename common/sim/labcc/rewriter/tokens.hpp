#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lab::sim {

enum class token_kind { identifier, number, text, punctuation };

/// One token of a source, not white space or a comment. `directive`: it is in a preprocessor directive.
struct token {
  token_kind kind;
  std::size_t begin, end;
  std::string_view words;
  bool directive;
};

/// The tokens of a C++ source. `<<<`, and `>>>` before a parenthesis, are one token each.
std::vector<token> tokenize(std::string_view source);

}  // namespace lab::sim
