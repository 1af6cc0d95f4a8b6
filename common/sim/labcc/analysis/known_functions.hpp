#pragma once

#include <string_view>

namespace lab::sim::loops {

/// Whether a function of CUDA or C++ depends on its arguments only, so that it neither waits nor asks for its thread.
bool is_pure_function(std::string_view name);
/// Whether it may also change memory, but neither waits nor asks for its thread.
bool is_harmless_function(std::string_view name);
/// Whether it reports the thread that calls it, or ends it.
bool names_its_thread(std::string_view name);
/// A keyword, or a type of C++, that parentheses may follow.
bool is_keyword_before_parenthesis(std::string_view word);

}  // namespace lab::sim::loops
