#include "labs/expectation.hpp"

#include <cstdlib>
#include <fstream>

#include "catch.hpp"

using lab_test::parse_expectation;

TEST_CASE("an expectation allows just the words of its line", "[expectation]") {
  const auto e = parse_expectation("// expect: wrong_answer | out_of_bounds  diagnosis: missing_guard | -");
  CHECK(e.allows_verdict("out_of_bounds"));
  CHECK_FALSE(e.allows_verdict("crash"));
  CHECK_FALSE(e.allows_verdict("pass"));
  CHECK(e.allows_diagnosis("missing_guard"));
  CHECK(e.allows_diagnosis(""));
  CHECK(e.allows_diagnosis("scattered"));
  CHECK_FALSE(e.allows_diagnosis("untouched"));
  CHECK_FALSE(parse_expectation("// expect: crash  diagnosis: nan").allows_diagnosis(""));
}

TEST_CASE("only hardware may hide a mistake", "[expectation]") {
  const auto e = parse_expectation("// expect: race  diagnosis: missing_barrier  hidden_on: cuda");
  CHECK(e.may_hide("cuda"));
  CHECK_FALSE(e.may_hide("sim"));
  CHECK(e.allows_diagnosis("missing_barrier"));
  CHECK_FALSE(e.allows_diagnosis("hidden_on:"));
  CHECK_THROWS(parse_expectation("// expect: race  diagnosis: -  hidden_on: sim"));
}

TEST_CASE("a mutant's line without verdict, with an unknown one or with pass is refused", "[expectation]") {
  for (const auto* line : {"", "// expect: wrong_answer", "// expect:  diagnosis: nan",
                           "// expect: wrong  diagnosis: -", "// expect: pass  diagnosis: -"})
    CHECK_THROWS(parse_expectation(line));
}

TEST_CASE("a marked hazard is that of the line below the mark, with every kind that the mark names", "[expectation]") {
  std::string name = (std::filesystem::temp_directory_path() / "lab-mark-XXXXXX").string();
  REQUIRE(mkstemp(name.data()) >= 0);
  std::ofstream{name} << "int a;\n  // hazard: race, uninitialized_read\n  s[0] = a;\n// hazard: leak\nint b;\n";
  CHECK(lab_test::marked_hazards(name) == std::set<std::string>{"race 3", "uninitialized_read 3", "leak 5"});
  std::filesystem::remove(name);
}
