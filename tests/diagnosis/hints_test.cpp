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
  CHECK(hint_for("01_first", "first", kind::untouched) == 1);
  CHECK(hint_for("01_first", "first", kind::missing_guard) == 2);
  CHECK(hint_for("01_first", "first", kind::off_by_one) == 2);
  CHECK(hint_for("01_first", "first", kind::zeros) == 1);
  CHECK(hint_for("01_first", "first", kind::none) == 1);
}

TEST_CASE("a lab without hints leads to none") { CHECK(hint_for("99_none", "first", kind::untouched) == 0); }

TEST_CASE("a hint for another launcher is passed over") {
  CHECK(hint_for("01_first", "first", kind::leak) == 1);
  CHECK(hint_for("01_first", "second", kind::leak) == 4);
  CHECK(hint_for("01_first", "second", kind::echo) == 4);
  CHECK(hint_for("01_first", "second", kind::untouched) == 1);
  CHECK(hint_for("01_first", "second", kind::missing_guard) == 2);
}

TEST_CASE("a hint has a title, its diagnoses and its text") {
  const auto hints = lab::judge::hints_of("01_first");
  REQUIRE(hints.size() == 4);
  CHECK(hints[3].title == "4. The second launcher");
  CHECK(hints[3].launcher == "second");
  CHECK(hints[3].diagnoses == std::vector<std::string>{"leak", "zeros"});
  CHECK(hints[3].text == "\nFree it.\n");
}
