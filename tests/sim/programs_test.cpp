#include <sstream>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

// A program says in `// prints: ...` lines what it has to print.
std::string expected_output(const std::string& source) {
  const std::string mark = "// prints: ";
  std::istringstream lines{source};
  std::string expected;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) expected += line.substr(mark.size()) + "\n";
  return expected;
}

void check(const std::filesystem::path& program, const std::string& mode) {
  const folder scratch;
  const std::string expected = expected_output(contents(program));
  REQUIRE_FALSE(expected.empty());
  const std::string binary = (scratch.path / "program").string();
  const auto built = run(std::string{LABCC} + " " + mode + " -Wall " + program.string() + " -o " + binary);
  INFO(program << " " << mode << "\n" << built.out);
  REQUIRE(built.status == 0);
  const auto ran = run("timeout 60 " + binary);
  CHECK(ran.out == expected);
  CHECK(ran.status == 0);
}

}  // namespace

TEST_CASE("every program prints in fast mode what it says it prints") {
  const auto all = sources(PROGRAMS);
  REQUIRE(all.size() >= 20);
  for (const auto& program : all) check(program, "--fast");
}
