#include "diagnosis/hints.hpp"

#include <cstdlib>

#include "catch.hpp"

namespace {

// Where labs lie is looked up once, on first use, so this must come before any test.
const int chosen = setenv("LAB_ROOT", TEST_ROOT, 1);

}  // namespace

using lab::judge::hint_for;

TEST_CASE("a diagnosis leads to the hint that lists it, any other to the first") {
  REQUIRE(chosen == 0);
  CHECK(hint_for("01_first", "untouched") == 1);
  CHECK(hint_for("01_first", "missing_guard") == 2);
  CHECK(hint_for("01_first", "off_by_one") == 2);
  CHECK(hint_for("01_first", "guard") == 1);
  CHECK(hint_for("01_first", "") == 1);
}

TEST_CASE("a lab without hints leads to none") { CHECK(hint_for("99_none", "untouched") == 0); }
