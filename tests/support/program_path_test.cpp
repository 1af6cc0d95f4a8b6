#include "support/program_path.hpp"

#include "catch.hpp"

TEST_CASE("a path below a folder is known by its text") {
  CHECK(lab::path_below("/course/labs", "/course/labs/04_x/kernel.cu") == "04_x/kernel.cu");
  CHECK(lab::path_below("/course/labs", "/course/labs").empty());
  CHECK(lab::path_below("/course/labs", "/course/labs_of_others/04_x").empty());
  CHECK(lab::path_below("/course/labs", "/course").empty());
}
