#include "catch.hpp"
#include "skip.hpp"

// Run by skip_test.py, not by CTest.

TEST_CASE("skips") {
  lab_test::skip("this machine has no GPU");
  FAIL("the case went on");
}

TEST_CASE("fails, then skips") {
  CHECK(1 == 2);
  lab_test::skip("this machine has no GPU");
}

TEST_CASE("passes") { CHECK(1 == 1); }
