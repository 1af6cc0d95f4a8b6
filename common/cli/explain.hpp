#pragma once

#include <string>
#include <string_view>

#include "lab/lab_definition.hpp"

namespace lab::cli {

/// The meaning, usual cause and next step of a verdict, hazard, diagnosis or metric, one paragraph for each meaning.
/// @throws usage_error if the word is unknown
std::string explanation_of(std::string_view word);

/// The diagnosis of the first failed case in the last check of a lab's kernel, or its verdict if it has no diagnosis.
/// Empty if there was no check or no case failed.
std::string last_failure(const entry& lab, const std::string& backend);

}  // namespace lab::cli
