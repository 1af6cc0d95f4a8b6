#pragma once

#include <filesystem>
#include <vector>

#include "grade/job/row.hpp"

namespace lab::grade {

/// The reports of a class; every one of them holds every row, whatever happened.
std::string csv(const std::vector<row>& rows);
nlohmann::json grades_json(const std::vector<row>& rows);
std::string junit_xml(const std::vector<row>& rows);

/// Gradescope's results of one student. @param rows of this student only
nlohmann::json gradescope(const std::vector<row>& rows);

/// A page for one student, without scripts and without anything hidden. @param rows of this student only
std::string page(const std::vector<row>& rows);

/// The class at a glance, for the teacher, with links to the pages.
std::string overview(const std::vector<row>& rows);

/// Writes them all below `out`, each in one step: grades.csv, grades.json, junit.xml, index.html and for every student
/// students/NAME/index.html and results.json.
void write_reports(const std::filesystem::path& out, const std::vector<row>& rows);

/// The rows of each student, in the order in which the students first appear.
std::vector<std::vector<row>> by_student(const std::vector<row>& rows);

}  // namespace lab::grade
