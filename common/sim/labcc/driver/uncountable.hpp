#pragma once

#include <string>
#include <string_view>

namespace lab::sim {

// The tracer counts the accesses that the compiler reports. For --countable, labcc refuses code that could switch these
// reports off, make accesses without them, or change the counts.

/// Why the accesses of a source cannot be counted, with the line; empty if they can. `name` begins the message.
std::string uncountable_source(std::string_view source, const std::string& name);

/// The same for what the preprocessor makes of the source (g++ -E). Text of system headers is trusted.
std::string uncountable_expansion(std::string_view preprocessed);

/// The same for a shared object: the first function it calls that the tracer does not know.
std::string uncountable_library(const std::string& library);

/// The C library's functions that such a program gets from the tracer, which lets only host code call most of them.
constexpr std::string_view watched_functions[] = {
    "memcmp", "memchr", "strlen",  "strcmp", "strncmp",   "strchr",   "strrchr", "strstr", "strtol", "strtod",
    "atoi",   "atof",   "bsearch", "qsort",  "vsnprintf", "snprintf", "getenv",  "sincos", "sincosf"};

/// The exit status of labcc for such code.
constexpr int uncountable_status = 12;

}  // namespace lab::sim
