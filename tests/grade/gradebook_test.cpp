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
        "\"King, Ada\",678,aking,B,10,\r\n");  // the guest is unknown to Canvas
}

TEST_CASE("Canvas gets its line of points, which says how much a new column counts") {
  const auto known = roster_from("Student,ID,SIS User ID,SIS Login ID,Section\n\"Lee, Ann\",1,s1,alee,A\n", "r.csv");
  auto one = graded("alee", "01_vector_add", 9.5);
  one.extra = 1.25;
  one.max_extra = 3;
  CHECK(gradebook(known, {one}) ==
        "Student,ID,SIS User ID,SIS Login ID,Section,01_vector_add,01_vector_add extra credit\r\n"
        "    Points Possible,,,,,10,0\r\n"
        "\"Lee, Ann\",1,s1,alee,A,9.5,1.25\r\n");
}

TEST_CASE("a column of extra credit and one of the lab are told apart") {
  const auto known = roster_from(
      "Student,ID,Section,01_vector_add extra credit (12),01_vector_add (11)\n    Points Possible,,,0,10\nlee,1,A,,\n",
      "r");
  auto one = graded("lee", "01_vector_add", 9);
  one.extra = 2;
  one.max_extra = 3;
  CHECK(gradebook(known, {one}).ends_with("lee,1,A,2,9\r\n"));
}

// As Moodle exports it: the names of its activities begin with their kind. It has no line of points, and refuses the
// whole file if one line names no student.
TEST_CASE("Moodle gets its own columns back, and no line that is no student") {
  const auto known = roster_from(
      "First name,Last name,ID number,Institution,Department,Email address,Assignment: 01_vector_add (Real),"
      "Last downloaded from this course\n"
      "Ann,Lee,s1,,,alee@x.org,-,1700000000\nAda,King,s2,,,aking@x.org,-,1700000000\n",
      "moodle.csv");
  const std::vector<row> rows{graded("s1", "01_vector_add", 9.44), graded("aking@x.org", "02_transpose_naive", 4),
                              graded("guest", "01_vector_add", 1)};
  CHECK(gradebook(known, rows) ==
        "First name,Last name,ID number,Institution,Department,Email address,Assignment: 01_vector_add (Real),"
        "Last downloaded from this course,02_transpose_naive\r\n"
        "Ann,Lee,s1,,,alee@x.org,9.44,1700000000,\r\n"
        "Ada,King,s2,,,aking@x.org,-,1700000000,4\r\n");
}

TEST_CASE("a machine error leaves the cell empty, because it is no zero") {
  auto lost = graded("ada", "01_vector_add", 0);
  lost.verdict = verdict_kind::infra_error;
  const auto text = gradebook({}, {lost, graded("bob", "01_vector_add", 2)});
  CHECK(text.find("ada\",,0\r\n") != text.npos);
  CHECK(gradebook(roster_from("name\nada\n", "r"), {lost}) == "name\r\nada\r\n");
}

TEST_CASE("large points keep all their digits") {
  CHECK(gradebook({}, {graded("ada", "01_vector_add", 123456.78)}).find("ada\",123456.78,123456.78\r\n") !=
        std::string::npos);
  CHECK(gradebook({}, {graded("ada", "01_vector_add", 1e6)}).find(",1000000,1000000\r\n") != std::string::npos);
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
  CHECK_THROWS_WITH(roster_from("Student\nann\nbob,2\n", "r.csv"), ContainsSubstring("r.csv:3"));
}
