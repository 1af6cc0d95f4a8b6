#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace lab_test {

/// What a wrong kernel must get, from its first line:
/// "// expect: wrong_answer | out_of_bounds  diagnosis: missing_guard | -", where "-" stands for none.
struct expectation {
  std::set<std::string, std::less<>> verdicts, diagnoses;

  bool allows_verdict(std::string_view word) const { return verdicts.contains(word); }
  bool allows_diagnosis(std::string_view word) const { return diagnoses.contains(word.empty() ? "-" : word); }
};

/// @throws std::runtime_error naming what is missing or not a verdict
expectation parse_expectation(const std::string& line);
expectation expectation_of(const std::filesystem::path& mutant);

}  // namespace lab_test
