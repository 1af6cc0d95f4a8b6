#pragma once

#include <string>
#include <string_view>

// What no host compiler can stand in for. Each ends in one error at its place, unless the preprocessor skips it.

namespace lab::sim {

/// What this name stands for when it is that of a type or a function, given the token after it; empty when it is
/// possible.
std::string unsupported_type(std::string_view name, std::string_view next);
std::string unsupported_function(std::string_view name, std::string_view next);

/// What a header that is in nobody's folders offers; empty when it is not one of NVIDIA's.
std::string unsupported_header(std::string_view header);

/// Is this the text of an asm statement in a GPU's language?
bool is_ptx(std::string_view literal);

/// Code that ends the compilation with this reason.
std::string refusal(const std::string& construct);
constexpr std::string_view refusal_mark = "_Pragma(\"GCC error";

}  // namespace lab::sim
