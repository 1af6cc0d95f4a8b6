#include "labs/agreement.hpp"

#include "catch.hpp"

namespace {

using third = void(const float* in, float* out, int n);
using host = void(std::span<const float>, std::span<float>, int);

std::function<host> divider(float divisor) {
  return [=](std::span<const float> in, std::span<float> out, int n) {
    for (int i = 0; i < n; ++i) out[i] = in[i] / divisor;
  };
}

// A lab whose fast program divides by a number of its own.
lab::lab_definition lab_dividing_by(float divisor, lab::tolerance allow) {
  return {.launchers = {lab::launcher<third>{
              .name = "third",
              .parameters = {"in", "out", "n"},
              .axes = {"n"},
              .make =
                  [](const lab::problem_size& s, lab::random& r) {
                    return std::tuple{r.values({s[0]}), lab::output<float>({s[0]}), s[0]};
                  },
              .reference = divider(3.0F),
              .fast = divider(divisor),
              .check_sizes = {{40}},
              .allow = allow,
          }}};
}

}  // namespace

TEST_CASE("a CPU program may differ from the reference by the lab's own tolerance and no more", "[agreement]") {
  const lab::tolerance allow{.relative = 1e-4, .inexact_lattice = true};
  CHECK(lab_test::disagreements(lab_dividing_by(3.0F, {})).empty());
  CHECK(lab_test::disagreements(lab_dividing_by(3.0F * 1.00005F, allow)).empty());
  CHECK_FALSE(lab_test::disagreements(lab_dividing_by(3.0F * 1.0005F, allow)).empty());
}

TEST_CASE("a CPU program must be exact where a kernel must", "[agreement]") {
  const auto all = lab_test::disagreements(lab_dividing_by(3.0F * 1.00005F, {.relative = 1e-4}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].find("fast of third 40 lattice: ") == 0);
}

TEST_CASE("a CPU program that differs is named with its launcher and its case", "[agreement]") {
  const auto all = lab_test::disagreements(lab_dividing_by(4.0F, {.relative = 1e-4}));
  REQUIRE(all.size() == 2);
  CHECK(all[0].find("fast of third 40 lattice: ") == 0);
  CHECK(all[1].find("fast of third 40 real: ") == 0);
}
