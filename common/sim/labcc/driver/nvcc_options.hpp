#pragma once

#include <string>

// Options of nvcc's, under the short one of their names.

namespace lab::sim {

/// The short name of an option, with its value if that is joined by '='.
std::string short_form(const std::string& option);

/// Options that say nothing to a CPU; of the second kind are those that have a value.
bool is_ignored(const std::string& option);
bool is_ignored_with_value(const std::string& name);

/// Why the option cannot be followed; empty when it can.
std::string impossible_option(const std::string& option);

}  // namespace lab::sim
