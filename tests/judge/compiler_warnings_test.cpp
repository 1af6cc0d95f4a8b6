#include "judge/compiler_warnings.hpp"

#include "catch.hpp"

using namespace lab::judge;

namespace {

const std::string printed =
    "kernel.cu: In function 'void k(int*)':\n"
    "kernel.cu:12:7: warning: 'sum' is used uninitialized [-Wuninitialized]\n"
    "   12 |   sum += a[i];\n"
    "kernel.cu:12:9: warning: 'sum' is used uninitialized [-Wuninitialized]\n"
    "lab.hpp:3:1: warning: 'x' may be used uninitialized [-Wmaybe-uninitialized]\n"
    "kernel.cu:20:5: warning: 'row' may be used uninitialized [-Wmaybe-uninitialized]\n";

using warnings = std::vector<compiler_warning>;

diagnosis_kind cause(const warnings& all, diagnosis_kind guess) {
  return cause_by_warning(all, "kernel.cu", {guess, "a guess"}).kind;
}

}  // namespace

TEST_CASE("the warnings about the student's file are found, each once") {
  const auto all = warnings_in(printed, "/labs/01/kernel.cu");
  REQUIRE(all.size() == 2);
  CHECK(all[0].line == 12);
  CHECK(all[0].text == "'sum' is used uninitialized");
  CHECK(all[1].option == "maybe-uninitialized");
  CHECK(describe(warnings{}, "kernel.cu").empty());
  CHECK(describe(all, "kernel.cu").find("'row' may be used") != std::string::npos);
}

TEST_CASE("a variable without a value explains a wrong result; a variable that may lack one only a vague guess") {
  using enum diagnosis_kind;
  const auto all = warnings_in(printed, "kernel.cu");
  CHECK(cause(warnings{all[0]}, off_by_one) == uninitialized_read);
  CHECK(cause(warnings{all[1]}, off_by_one) == off_by_one);
  for (const auto guess : {scattered, missing_barrier, every_kth})
    CHECK(cause(warnings{all[1]}, guess) == uninitialized_read);
  CHECK(cause(warnings{}, scattered) == scattered);
  CHECK(cause(warnings{{5, "unused", "unused-value"}}, scattered) == scattered);
  CHECK(cause_by_warning(warnings{all[0]}, "kernel.cu", {}).text.find("`sum`") == 0);
}
