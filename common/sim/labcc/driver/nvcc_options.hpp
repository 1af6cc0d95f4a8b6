#pragma once

#include <string>

// nvcc's options, by their short names.

namespace lab::sim {

/// The short name of an option, with its value if '=' joins it.
std::string short_form(const std::string& option);

/// Whether an option has no meaning on a CPU; the second function is for options with a value.
bool is_ignored(const std::string& option);
bool is_ignored_with_value(const std::string& name);

/// Why the simulator does not support an option; empty if it does.
std::string impossible_option(const std::string& option);

}  // namespace lab::sim
