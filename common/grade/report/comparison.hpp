#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grade/job/row.hpp"

namespace lab::grade {

/// A grading that has ended, read from its grades.json.
struct finished_grading {
  std::string place;  ///< the file, as the user named it
  std::string version;
  std::vector<row> rows{};
  std::optional<nlohmann::json> rules{};  ///< the policy, if the whole folder of the reports is there
};

/// @param place the folder of --out, or its grades.json @throws usage_error if it is neither
finished_grading grading_at(const std::filesystem::path& place);

/// A row that differs between two gradings. A row that only one of them has is missing in the other.
struct row_change {
  std::optional<row> before, after;
  std::vector<std::string> because;  ///< what the row depends on and is different; empty if all of it is the same
};

/// A rule that differs. The values are JSON; one that is missing is empty.
struct rule_change {
  std::string key, before, after;
};

struct grading_comparison {
  std::string before, after;
  std::vector<rule_change> rules{};
  std::vector<row_change> rows{};
  std::size_t equal = 0;  ///< rows without a difference
};

/// Compares points, verdict, diagnosis, seed, policy and source of each row.
grading_comparison compare(const finished_grading& before, const finished_grading& after);

/// A line for each difference, and its reasons.
std::string in_words(const grading_comparison& all);
nlohmann::json to_json(const grading_comparison& all);

}  // namespace lab::grade
