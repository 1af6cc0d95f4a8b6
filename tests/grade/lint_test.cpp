#include "grade/lint/lint.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace lab;
using grade::lint_row;

namespace {

using sum = void(const float* in, float* out, int n);

auto make(const problem_size& size, lab::random& random) {
  return std::tuple{random.values({size[0]}), output<float>({1}), size[0]};
}

void sum_up(std::span<const float> in, std::span<float> out, int n) {
  double all = 0;
  for (int i = 0; i < n; ++i) all += in[i];
  out[0] = static_cast<float>(all);
}

void sum_down(std::span<const float> in, std::span<float> out, int n) {
  float all = 0;
  for (int i = n; i-- > 0;) all += in[i];
  out[0] = all;
}

lab_definition definition_with(tolerance allow) {
  return {.launchers = {launcher<sum>{.name = "sum",
                                      .parameters = {"in", "out", "n"},
                                      .axes = {"n"},
                                      .make = make,
                                      .reference = sum_up,
                                      .one_thread = sum_down,
                                      .check_sizes = {{1}, {1000}, {4099}},
                                      .allow = allow}}};
}

std::string trouble(const lab_definition& definition, const std::string& answer) {
  const auto rows = grade::lint(definition);
  const auto at = std::ranges::find(rows, answer, &lint_row::answer);
  REQUIRE(at != rows.end());
  return at->trouble;
}

}  // namespace

TEST_CASE("every lab of this build refuses lazy answers and accepts sums in another order", "[lint]") {
  REQUIRE_FALSE(labs().empty());
  for (const auto& lab : labs())
    for (const auto& row : grade::lint(lab.definition)) {
      INFO(lab.name << ", " << row.launcher << ": " << row.answer);
      CHECK(row.trouble == "");
      CHECK((row.must_pass || row.refused > 0 || row.answer == "rounded to bfloat16"));
    }
}

TEST_CASE("a suitable tolerance accepts sums in another order and refuses lazy answers") {
  for (const auto& row : grade::lint(definition_with({.accumulated = 4}))) {
    INFO(row.answer);
    CHECK(row.trouble == "");
  }
}

TEST_CASE("a tolerance that is too wide is reported by the lazy answers that it accepts") {
  const auto wide = definition_with({.absolute = 1e6, .inexact_lattice = true});
  for (const auto* answer : {"zeros", "a constant", "rounded to bfloat16", "`in` is ignored"}) {
    INFO(answer);
    CHECK(trouble(wide, answer).find("passes every case") != std::string::npos);
  }
}

TEST_CASE("a tolerance that is too narrow is reported by the right answer that it refuses") {
  CHECK(trouble(definition_with({}), "sums in another order") == "is right, but some case refuses it");
}

TEST_CASE("an input that does not matter is reported by its name") {
  auto definition = definition_with({.accumulated = 4});
  definition.launchers[0].reference = [](arguments& all) { all[1].as<float>()[0] = 3; };
  CHECK(trouble(definition, "`in` is ignored") == "is the right answer in every case");
}
