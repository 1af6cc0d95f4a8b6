#include "judge/test_case.hpp"

#include <cstring>
#include <limits>

#include "catch.hpp"
#include "lab/launcher.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

constexpr double epsilon = std::numeric_limits<float>::epsilon(), allowed = 4;

// out[0] = in[0], so that the magnitude of the sum is in[0] itself; 2 to the 20th leaves digits for small errors.
launcher_spec identity(double operations) {
  return launcher<void(const double*, double*)>{
      .name = "identity",
      .parameters = {"in", "out"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size&, lab::random&) {
            return std::tuple{tensor<double>{{1}, {1 << 20}}, output<double>({1})};
          },
      .reference = [](std::span<const double> in, std::span<double> out) { out[0] = in[0]; },
      .fast = [](std::span<const double> in, std::span<double> out) { out[0] = in[0]; },
      .allow = {.accumulated = allowed},
      .cost = [=](const lab::problem_size&) { return problem_cost{.operations = operations}; },
  };
}

// What the judge says of an output that is off by this share of what the lab allows.
verdict_kind off_by(double share, oracle who) {
  const auto c = identity(1);
  const test_case t{c, {1}, 1, inputs::real, who};
  const auto before = t.arrays(1);
  std::vector<std::byte> after{before.view().begin(), before.view().end()};
  const double value = (1 << 20) * (1 + share * allowed * epsilon);
  std::memcpy(const_cast<std::byte*>(t.where().payload(1, after).data()), &value, sizeof value);
  return t.judge(before.view(), after).verdict;
}

// The sum of each row of a matrix.
launcher_spec row_sums() {
  return launcher<void(const float*, float*, int, int)>{
      .name = "row_sums",
      .parameters = {"a", "out", "rows", "cols"},
      .axes = {"rows", "cols"},
      .make =
          [](const lab::problem_size& s, lab::random& random) {
            return std::tuple{random.values({s[0], s[1]}, 100), output<float>({s[0]}), s[0], s[1]};
          },
      .reference =
          [](std::span<const float> a, std::span<float> out, int rows, int cols) {
            for (int row = 0; row < rows; ++row) {
              out[row] = 0;
              for (int k = 0; k < cols; ++k) out[row] += a[row * cols + k];
            }
          },
  };
}

// What the judge says first of sums over these columns of 5 x 40 elements alone.
diagnosis summed_over(int first, int end, int step = 1) {
  const auto c = row_sums();
  const test_case t{c, {5, 40}, 1, inputs::lattice, oracle::reference};
  auto answer = t.given();
  allocate_outputs(answer);
  const auto a = t.given()[0].as<float>();
  auto out = answer[1].as<float>();
  for (int row = 0; row < 5; ++row)
    for (int k = first; k < end; k += step) out[row] += a[row * 40 + k];
  const auto before = t.arrays(1);
  return t.judge(before.view(), t.answered(before.view(), answer)).why.front();
}

}  // namespace

TEST_CASE("sums over a part of their terms are recognised, and the part is named") {
  const auto says = [](const diagnosis& found, std::string_view words) {
    return found.kind == diagnosis_kind::missing_terms && found.text.find(words) != std::string::npos;
  };
  CHECK(says(summed_over(0, 32), "for `a` with only the first 32 of 40 columns"));
  CHECK(says(summed_over(0, 39), "for `a` without the last column"));
  CHECK(says(summed_over(1, 40), "for `a` without the first column"));
  CHECK(says(summed_over(39, 40), "for `a` with only the last of 40 columns: each step replaces the sum"));
  CHECK(summed_over(0, 40, 3).kind != diagnosis_kind::missing_terms);
  CHECK(summed_over(0, 0).kind == diagnosis_kind::zeros);
}

TEST_CASE("a kernel compared with the reference may be off by what the lab allows, and by no more") {
  CHECK(off_by(0.99, oracle::reference) == verdict_kind::pass);
  CHECK(off_by(1.01, oracle::reference) == verdict_kind::wrong_answer);
}

TEST_CASE("a kernel compared with the fastest CPU program may be off by twice as much, since both round") {
  CHECK(off_by(1.99, oracle::fastest) == verdict_kind::pass);
  CHECK(off_by(2.01, oracle::fastest) == verdict_kind::wrong_answer);
}

TEST_CASE("the fastest CPU program gives the expected outputs only where the reference would take minutes") {
  CHECK(oracle_for(identity(1e9), {1}) == oracle::reference);
  CHECK(oracle_for(identity(1.01e9), {1}) == oracle::fastest);
  auto without_cost = identity(1);
  without_cost.cost = {};
  CHECK(oracle_for(without_cost, {1}) == oracle::reference);
}

TEST_CASE("the oracle that is asked for computes the expected outputs, the best that there is for the fastest") {
  auto c = identity(1);
  const auto answer = [](double value) { return [=](arguments& all) { all[1].as<double>()[0] = value; }; };
  c.allow = {};
  c.reference = answer(1);
  const auto expected = [&](oracle who) {
    const test_case t{c, {1}, 1, inputs::real, who};
    const auto before = t.arrays(1);
    for (const double value : {1, 2, 3}) {
      std::vector<std::byte> after{before.view().begin(), before.view().end()};
      std::memcpy(const_cast<std::byte*>(t.where().payload(1, after).data()), &value, sizeof value);
      if (t.accepts(before.view(), after)) return value;
    }
    return 0.0;
  };
  c.all_threads = answer(2);
  c.fast = answer(3);
  CHECK(expected(oracle::reference) == 1);
  CHECK(expected(oracle::fastest) == 3);
  c.fast = {};
  CHECK(expected(oracle::fastest) == 2);
  c.all_threads = {};
  CHECK(expected(oracle::fastest) == 1);
}

TEST_CASE("a square input whose rows are read as columns is recognised") {
  const auto c = row_sums();
  const test_case t{c, {8, 8}, 1, inputs::lattice, oracle::reference};
  auto answer = t.given();
  allocate_outputs(answer);
  const auto a = t.given()[0].as<float>();
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 8; ++k) answer[1].as<float>()[row] += a[k * 8 + row];
  const auto before = t.arrays(0);
  const auto why = t.judge(before.view(), t.answered(before.view(), answer)).why;
  REQUIRE(!why.empty());
  CHECK(why.front().kind == diagnosis_kind::rows_and_columns_swapped);
  CHECK(why.front().text.find("`out` is the right result for the transpose of `a`") == 0);
}
