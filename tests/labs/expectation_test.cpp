#include "labs/expectation.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.hpp"

namespace {

lab_test::expectation parsed(const std::string& heading) {
  std::istringstream patch{heading + "\n--- solution\n+++ mutant\n@@ -1 +1 @@\n-expect: ignored\n+\n"};
  return lab_test::parse_expectation(patch);
}

const std::string guard = "expect: out_of_bounds\ndiagnosis: missing_guard\nmistake: The guard is missing.";

}  // namespace

TEST_CASE("an expectation allows the words of its lines and no others", "[expectation]") {
  const auto e = parsed(guard);
  CHECK(e.sim.allows_verdict("out_of_bounds"));
  CHECK_FALSE(e.sim.allows_verdict("crash"));
  CHECK_FALSE(e.sim.allows_verdict("pass"));
  CHECK(e.sim.allows_diagnosis("missing_guard"));
  CHECK_FALSE(e.sim.allows_diagnosis(""));
  CHECK_FALSE(e.sim.allows_diagnosis("scattered"));
  CHECK(e.mistake == "The guard is missing.");
  CHECK(e.message.empty());
  CHECK(parsed(guard + "\nmessage: the guard").message == "the guard");
}

TEST_CASE("the word none allows an empty diagnosis alone", "[expectation]") {
  const auto e = parsed("expect: crash\ndiagnosis: none\nreason: A crash leaves no output.\nmistake: It crashes.");
  CHECK(e.sim.allows_diagnosis(""));
  CHECK_FALSE(e.sim.allows_diagnosis("scattered"));
  CHECK_FALSE(lab_test::names_cause("none"));
  CHECK_FALSE(lab_test::names_cause("wrong_everywhere"));
  CHECK(lab_test::names_cause("missing_guard"));
}

TEST_CASE("a GPU may get other words, and it alone may pass", "[expectation]") {
  const auto e = parsed(guard + "\nexpect on cuda: pass, launch_error\ndiagnosis on cuda: none, bad_launch");
  CHECK(e.on("cuda").allows_verdict("pass"));
  CHECK_FALSE(e.on("cuda").allows_verdict("out_of_bounds"));
  CHECK(e.on("cuda").allows_diagnosis(""));
  CHECK_FALSE(e.on("sim").allows_diagnosis("bad_launch"));
  CHECK(parsed(guard).on("cuda").allows_verdict("out_of_bounds"));
}

TEST_CASE("a lab that only a GPU can run has the lines for it alone", "[expectation]") {
  const std::string gpu = "expect on cuda: wrong_answer\nmistake: It is wrong.\n";
  CHECK(parsed(gpu + "diagnosis on cuda: none, nan").on("cuda").allows_diagnosis("nan"));
  CHECK_FALSE(parsed(gpu + "diagnosis on cuda: none").on("sim").allows_verdict("wrong_answer"));
  CHECK_THROWS(parsed(gpu));
}

TEST_CASE("more than one word for the simulator, or none that names a cause, needs a reason", "[expectation]") {
  const std::string mistake = "\nmistake: It is wrong.", reason = "\nreason: The order of the blocks decides.";
  for (const std::string lines : {"expect: race, wrong_answer\ndiagnosis: race", "expect: race\ndiagnosis: race, nan",
                                  "expect: crash\ndiagnosis: none", "expect: wrong_answer\ndiagnosis: scattered"}) {
    INFO(lines);
    CHECK_THROWS(parsed(lines + mistake));
    CHECK_NOTHROW(parsed(lines + mistake + reason));
  }
  CHECK_THROWS(parsed("expect: race\ndiagnosis: race, nan, zeros" + mistake + reason));
}

TEST_CASE("a heading with a line missing, twice or unknown is refused", "[expectation]") {
  for (const auto* heading : {"", "expect: race", "expect: race\ndiagnosis: race", "diagnosis: race\nmistake: Wrong.",
                              "expect: race\nexpect: crash\ndiagnosis: race\nmistake: Wrong.",
                              "expects: race\nexpect: race\ndiagnosis: race\nmistake: Wrong."})
    CHECK_THROWS(parsed(heading));
}

TEST_CASE("a diagnosis may be a word that a verdict, a hazard or a gate has too", "[expectation]") {
  for (const std::string word : {"nondeterministic", "race", "shared_bounds", "bank_conflicts", "missing_guard"})
    CHECK_NOTHROW(parsed("expect: race\ndiagnosis: " + word + "\nmistake: It is wrong."));
  CHECK_THROWS(parsed("expect: race\ndiagnosis: wrong_answer\nmistake: It is wrong."));
}

TEST_CASE("unknown verdicts and diagnoses are refused, and pass on the simulator", "[expectation]") {
  for (const std::string lines :
       {"expect: wrong\ndiagnosis: nan", "expect: pass\ndiagnosis: nan", "expect: skipped\ndiagnosis: nan",
        "expect: race\ndiagnosis: misssing_guard", "expect: race\ndiagnosis: race\nexpect on cuda: fine",
        "expect: race\ndiagnosis: race\ndiagnosis on cuda: races"})
    CHECK_THROWS(parsed(lines + "\nmistake: It is wrong."));
}

TEST_CASE("a marked hazard is that of the line below the mark, with every kind that the mark names", "[expectation]") {
  std::string name = (std::filesystem::temp_directory_path() / "lab-mark-XXXXXX").string();
  REQUIRE(mkstemp(name.data()) >= 0);
  std::ofstream{name} << "int a;\n  // hazard: race, uninitialized_read\n  s[0] = a;\n// hazard: leak\nint b;\n";
  CHECK(lab_test::marked_hazards(name) == std::set<std::string>{"race 3", "uninitialized_read 3", "leak 5"});
  std::filesystem::remove(name);
}
