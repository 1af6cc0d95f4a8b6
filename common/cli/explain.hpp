#pragma once

#include <string>
#include <string_view>

#include "lab/lab_definition.hpp"

namespace lab::cli {

/// What a word of the reports means, its usual cause and the next step; a paragraph for each meaning.
/// @throws usage_error if the word is unknown
std::string explanation_of(std::string_view word);

/// The diagnosis, or without one the verdict, of the last check of a lab's kernel that was kept; empty for none.
std::string last_finding(const entry& lab, const std::string& backend);

}  // namespace lab::cli
