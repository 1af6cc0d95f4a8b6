#include <cstdlib>

#include "build/toolchain.hpp"
#include "catch.hpp"
#include "fixtures/twice.hpp"
#include "grade/job/graded_kernels.hpp"
#include "skip.hpp"

using namespace lab;
using namespace lab::grade;

// A whole race over the runner that works on the CPU (tests/judge/tapes): only the device code is really compiled.

namespace {

const bool with_that_runner = setenv("LAB_BUILD", BUILD_WITH_RUNNER, 1) == 0 && setenv("LAB_ROOT", TEST_ROOT, 1) == 0 &&
                              setenv("LAB_CUDA_ARCH", "sm_90", 1) == 0;

kernel_race race_at(int n, const std::string& students_library = LIBRARY) {
  REQUIRE(with_that_runner);
  static const auto lab = lab_test::twice_lab();
  const lab::problem_size size{n};
  const auto source = lab_test::kernel("right").source;
  lab::judge::check_options o;
  o.backend = backend_kind::cuda;
  const lab::judge::build_result solution{.library = LIBRARY}, student{.library = students_library};
  return race_kernels({lab, lab.definition.launchers[0], size, source, 4}, solution, student, o);
}

}  // namespace

TEST_CASE("where both can be recorded, both have a kernel time") {
  if (lab::judge::nvcc().empty()) lab_test::skip("nvcc is not installed");
  const auto race = race_at(1000);
  INFO(race.why_not);
  REQUIRE(race.found);
  CHECK(race.found->clock == speed_clock::kernel);
  CHECK(race.found->student > 0);
  CHECK(race.found->solution > 0);
  CHECK(race.found->nothing == 0);
}

TEST_CASE("where one cannot be recorded, neither has a kernel time, and it is said whose fault that is") {
  if (lab::judge::nvcc().empty()) lab_test::skip("nvcc is not installed");
  const auto race = race_at(1003);
  CHECK_FALSE(race.found);
  CHECK(race.why_not == "of the solution: it copies from the device to the host, and may decide by what it sees");
  const auto students = race_at(1000, "/nonexistent.so");
  CHECK_FALSE(students.found);
  CHECK(students.why_not.starts_with("recorded, it comes to compile_error: /nonexistent.so"));
  CHECK_FALSE(students.forged);
}
