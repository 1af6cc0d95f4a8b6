#include "grade/report/gradebook.hpp"

#include "catch.hpp"
#include "lab/lab_definition.hpp"

using namespace lab::grade;
using lab::verdict_kind;

namespace {

row graded(const std::string& student, const std::string& lab, double points) {
  return {
      .key = "k", .student = student, .lab = lab, .verdict = verdict_kind::pass, .points = points, .max_points = 10};
}

// As Canvas exports it, with its line of points.
const std::string canvas =
    "\xef\xbb\xbfStudent,ID,SIS Login ID,Section,01_vector_add (77)\r\n"
    "    Points Possible,,,,5\r\n"
    "\"Lee, Ann\",12345,alee,A,\r\n"
    "\"King, Ada\",678,aking,B,3\r\n";

}  // namespace

TEST_CASE("a gradebook has the roster's form, its own columns filled and the others added") {
  const auto known = roster_from(canvas, "roster.csv");
  const std::vector<row> rows{graded("lee_12345", "01_vector_add", 9.5), graded("lee_12345", "04_transpose_padded", 4),
                              graded("AKing", "01_vector_add", 10), graded("guest", "01_vector_add", 1)};
  CHECK(gradebook(known, rows) ==
        "Student,ID,SIS Login ID,Section,01_vector_add (77),04_transpose_padded\r\n"
        "    Points Possible,,,,10,10\r\n"
        "\"Lee, Ann\",12345,alee,A,9.5,4\r\n"
        "\"King, Ada\",678,aking,B,10,\r\n"
        "\"guest\",,,,1,\r\n");
}

TEST_CASE("without a roster a gradebook has a line for each student, with the sum") {
  const std::vector<row> rows{graded("bob", "01_vector_add", 1), graded("bob", "02_transpose_naive", 2.5),
                              graded("=ada()", "01_vector_add", 3)};
  const auto text = gradebook({}, rows);
  CHECK(text.starts_with("student,01_vector_add,02_transpose_naive,total\r\n"));
  CHECK(text.find(",1,2.5,3.5\r\n") != text.npos);
  CHECK(text.find("\n=ada") == text.npos);  // no spreadsheet may evaluate a student's name
}

TEST_CASE("a roster without students or with too many cells is refused with its line") {
  CHECK_THROWS_AS(roster_from("", "r.csv"), lab::usage_error);
  CHECK_THROWS_AS(roster_from("Student,ID\n", "r.csv"), lab::usage_error);
  CHECK_THROWS_WITH(roster_from("Student\nann\nbob,2\n", "r.csv"), Catch::Matchers::Contains("r.csv:3"));
}
