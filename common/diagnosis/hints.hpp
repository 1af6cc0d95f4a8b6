#pragma once

#include <string>
#include <string_view>

#include "diagnosis/diagnosis_kind.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

/// Which hint of labs/NAME/hints.md answers a diagnosis: the heading "## 2. Title <!-- word, word -->" that lists it,
/// else 1; 0 if the lab has no hints.
int hint_for(const std::string& lab, diagnosis_kind diagnosis);

/// The last line of a message: the hint to read, if there is one, and where the diagnosis, or without one the verdict,
/// is explained.
std::string next_step(const std::string& lab, int hint, diagnosis_kind diagnosis, verdict_kind verdict);

}  // namespace lab::judge
