#include "diagnosis/hints.hpp"

#include <cstdlib>

#include "catch.hpp"

namespace {

// Where labs lie is looked up once, on first use, so this must come before any test.
const int chosen = setenv("LAB_ROOT", TEST_ROOT, 1);

}  // namespace

using lab::judge::hint_for;
using kind = lab::judge::diagnosis_kind;

TEST_CASE("a diagnosis leads to the hint that lists it, any other to the first") {
  REQUIRE(chosen == 0);
  CHECK(hint_for("01_first", kind::untouched) == 1);
  CHECK(hint_for("01_first", kind::missing_guard) == 2);
  CHECK(hint_for("01_first", kind::off_by_one) == 2);
  CHECK(hint_for("01_first", kind::zeros) == 1);
  CHECK(hint_for("01_first", kind::none) == 1);
}

TEST_CASE("a lab without hints leads to none") { CHECK(hint_for("99_none", kind::untouched) == 0); }
