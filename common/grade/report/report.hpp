#pragma once

#include <filesystem>
#include <vector>

#include "grade/job/policy.hpp"
#include "grade/job/row.hpp"

namespace lab::grade {

/// The reports of a class. Each one contains every row.
std::string csv(const std::vector<row>& rows);
nlohmann::json grades_json(const std::vector<row>& rows);
std::string junit_xml(const std::vector<row>& rows);

/// Writes all reports below `out`, each file in one step: grades.csv, grades.json, junit.xml, index.html, and for every
/// student students/NAME/index.html and results.json. pages/pages.py makes the HTML pages from grades.json.
/// @throws std::runtime_error if it cannot make the pages; the other reports are then written
void write_reports(const std::filesystem::path& out, const std::vector<row>& rows, leaderboard_kind board);

/// The rows of each student. The students keep their order in `rows`.
std::vector<std::vector<row>> by_student(const std::vector<row>& rows);

}  // namespace lab::grade
