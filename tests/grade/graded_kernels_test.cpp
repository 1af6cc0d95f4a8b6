#include "grade/job/graded_kernels.hpp"

#include <cstdlib>

#include "build/toolchain.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "skip.hpp"

using namespace lab;
using namespace lab::grade;

// Times kernels through a stand-in runner that works on the CPU. Only the device code is compiled by nvcc.

namespace {

const bool with_that_runner = setenv("LAB_BUILD", BUILD_WITH_RUNNER, 1) == 0 && setenv("LAB_ROOT", TEST_ROOT, 1) == 0 &&
                              setenv("LAB_CUDA_ARCH", "sm_90", 1) == 0;

kernel_times times_at(int n, const std::string& students_library = LIBRARY, const entry& lab = lab_test::twice_lab()) {
  REQUIRE(with_that_runner);
  const lab::problem_size size{n};
  const auto source = lab_test::kernel("right").source;
  lab::judge::check_options options;
  options.backend = backend_kind::cuda;
  const lab::judge::build_result solution{.library = LIBRARY, .log = {}},
      student{.library = students_library, .log = {}};
  return time_kernels({lab, lab.definition.launchers[0], size, source, 4}, solution, student, options);
}

}  // namespace

TEST_CASE("two launchers that can be recorded both have kernel times") {
  if (lab::judge::nvcc().empty()) lab_test::skip("nvcc is not installed");
  const auto kernels = times_at(1000);
  INFO(kernels.why_not);
  REQUIRE(kernels.times);
  CHECK(kernels.times->clock == speed_clock::kernel);
  CHECK(kernels.times->student > 0);
  CHECK(kernels.times->solution > 0);
  CHECK(kernels.times->overhead == 0);
}

TEST_CASE("the CPU program computes what each call of the student must give, and once for each run of the solution") {
  if (lab::judge::nvcc().empty()) lab_test::skip("nvcc is not installed");
  auto lab = lab_test::twice_lab();
  auto& launcher = lab.definition.launchers[0];
  int calls = 0;
  for (auto* program : {&launcher.reference, &launcher.one_thread})
    *program = [&calls, compute = *program](arguments& all) {
      ++calls;
      compute(all);
    };
  REQUIRE(times_at(1000, LIBRARY, lab).times);
  constexpr int recorded_and_first = 2, timed = 4, runs_of_the_solution = 2;
  CHECK(calls == recorded_and_first + timed + runs_of_the_solution);
}

TEST_CASE("if one launcher cannot be recorded there are no kernel times, and the reason names the launcher") {
  if (lab::judge::nvcc().empty()) lab_test::skip("nvcc is not installed");
  const auto kernels = times_at(1003);
  CHECK_FALSE(kernels.times);
  CHECK(kernels.why_not ==
        "of the solution: it copies from the device to the host, so its later calls may depend on the data");
  const auto missing = times_at(1000, "/nonexistent.so");
  CHECK_FALSE(missing.times);
  CHECK(missing.why_not.starts_with("recording it gets compile_error: /nonexistent.so"));
  CHECK_FALSE(missing.forged);
}
