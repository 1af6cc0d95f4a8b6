#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/diagnosis_kind.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

/// One "## " section of a lab's hints.md: "## 2. Title <!-- launcher: word, word -->". The launcher and its colon are
/// there if the hint is for one launcher only.
struct hint {
  std::string title{};  ///< "2. Title"
  std::string launcher{};
  std::vector<std::string> diagnoses{};
  std::string text{};  ///< the lines below the heading
};

/// The hints of a lab in their order; none if it has no hints.md.
std::vector<hint> hints_of(const std::string& lab);

/// The number, from 1, of the hint that answers a diagnosis of a launcher's result: the first that lists it and is for
/// this launcher, else for all launchers; if none lists it, the first for this launcher, else for all. 0 if the lab has
/// no hints.
int hint_for(const std::string& lab, const std::string& launcher, diagnosis_kind diagnosis);

/// The last line of a message: the hint to read, if there is one, and where the diagnosis, or without one the verdict,
/// is explained. The part is "04", or "14.2" for a stage.
std::string next_step(const std::string& part, int hint, diagnosis_kind diagnosis, verdict_kind verdict);

}  // namespace lab::judge
