#pragma once

#include <string>
#include <string_view>

// Unsupported constructs. Each becomes one error at its line, unless the preprocessor skips it.

namespace lab::sim {

/// The unsupported feature that a type or function with this name needs, given the next token; empty if it is
/// supported.
std::string unsupported_type(std::string_view name);
std::string unsupported_function(std::string_view name, std::string_view next);

/// The unsupported feature of a missing header; empty if it is not one of NVIDIA's.
std::string unsupported_header(std::string_view header);

/// Whether this is the text of an asm statement in PTX.
bool is_ptx(std::string_view literal);

/// Code that makes the compiler report this construct as unsupported.
std::string refusal(const std::string& construct);
constexpr std::string_view refusal_mark = "_Pragma(\"GCC error";

}  // namespace lab::sim
