#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace lab_test {

/// What a wrong kernel must get, from its first line:
/// "// expect: wrong_answer | out_of_bounds  diagnosis: missing_guard | -", where "-" stands for no
/// diagnosis, or one that names no cause. At its end "hidden_on: cuda" may say that a GPU can hide the mistake: a race
/// that its timing happens to win. There the kernel may pass as well.
struct expectation {
  std::set<std::string, std::less<>> verdicts, diagnoses, hidden_on{};

  bool may_hide(std::string_view backend) const { return hidden_on.contains(backend); }

  bool allows_verdict(std::string_view word) const { return verdicts.contains(word); }
  bool allows_diagnosis(std::string_view word) const {
    const bool no_cause = word.empty() || word == "wrong_everywhere" || word == "scattered";
    return diagnoses.contains(word) || (no_cause && diagnoses.contains("-"));
  }
};

/// @throws std::runtime_error naming what is missing or not a verdict
expectation parse_expectation(const std::string& line);
expectation expectation_of(const std::filesystem::path& mutant);

/// The hazards that the tracer must find in a wrong kernel, and no others, as "race 17": the kinds that a comment
/// "// hazard: race, uninitialized_read" names are those of the line below it. A race marks both its lines.
std::set<std::string> marked_hazards(const std::filesystem::path& mutant);

}  // namespace lab_test
