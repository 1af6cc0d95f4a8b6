#pragma once

#include <string>
#include <vector>

#include "grade/job/row.hpp"

namespace lab::grade {

/// A table of the class that the teacher has, as exported from Canvas or Moodle: a header, then a line for each
/// student.
struct roster {
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> lines{};

  /// The line of a student whose submission has this name: a cell is equal to it, or to what follows its last "_", as
  /// in Canvas's "lee_12345". Upper and lower case are alike. Null if there is none.
  const std::vector<std::string>* find(const std::string& student) const;
};

/// @throws usage_error if the text has no header and no student, or a line with more cells than the header
roster roster_from(const std::string& text, const std::string& file);

/// "Points Possible" is a line of Canvas's that is no student.
bool is_student(const std::vector<std::string>& line);

/// The roster with a column of points for each lab, to import where it came from, and one for the extra credit of each
/// lab that has any. A column that exists is filled, others are added. Students who are not in the roster are left out:
/// Moodle refuses a file with one unknown student. Without a roster: the students, the points for each lab and their
/// sum.
std::string gradebook(const roster& known, const std::vector<row>& rows);

}  // namespace lab::grade
