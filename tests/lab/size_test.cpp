#include "lab/size.hpp"

#include "catch.hpp"

using lab::problem_size;

TEST_CASE("a size is read back from its name") {
  for (const auto& s : {problem_size{1}, problem_size{2000, 5000}, problem_size{17, 15, 33}})
    CHECK(problem_size::parse(s.name()) == s);
}

TEST_CASE("what is not positive integers joined by x is no size") {
  for (const auto* text : {"", "x", "0", "-1", "12x", "x12", "12xx3", "12 x 3", "1.5", "12y3", "99999999999", "2x0"})
    CHECK_FALSE(problem_size::parse(text));
}

TEST_CASE("asking a size for an axis that it lacks throws") { CHECK_THROWS((problem_size{3, 4}[2])); }
