#include "lab.hpp"

#include "families/matmul.hpp"

namespace {

using inputs = std::span<const float>;
using outputs = std::span<float>;

auto make_split(const lab::problem_size& s, lab::random& random) {
  return std::tuple_cat(families::make_matmul(s, random), std::tuple{s[3]});
}

// A program of the other matrix products; how the work is cut makes no difference to the result.
auto whole(void program(inputs, inputs, outputs, int, int, int)) {
  return [program](inputs a, inputs b, outputs c, int n, int m, int p, int) { program(a, b, c, n, m, p); };
}

auto make_batch(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], m = s[1], p = s[2], count = s[3];
  return std::tuple{
      random.values({count, n, m}), random.values({count, m, p}), lab::output<float>({count, n, p}), n, m, p, count};
}

// A program of one product, for each of them.
auto each(void program(inputs, inputs, outputs, int, int, int)) {
  return [program](inputs a, inputs b, outputs c, int n, int m, int p, int count) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const std::size_t in_a = static_cast<std::size_t>(n) * m, in_b = static_cast<std::size_t>(m) * p,
                        in_c = static_cast<std::size_t>(n) * p;
      program(a.subspan(k * in_a, in_a), b.subspan(k * in_b, in_b), c.subspan(k * in_c, in_c), n, m, p);
    }
  };
}

lab::gate at_the_same_time(const std::string& why, double costs, const lab::problem_size& costs_at) {
  return {.metric = lab::traffic::concurrent_launches,
          .at = {64, 64, 64, 4},
          .least = 4,
          .why = why,
          .costs = costs,
          .costs_at = costs_at};
}

auto batch_launcher() {
  const auto product = families::matmul();
  return lab::launcher<decltype(matmul_batch)>{
      .name = "matmul_batch",
      .parameters = {"a", "b", "c", "n", "m", "p", "count"},
      .axes = {"n", "m", "p", "count"},
      .make = make_batch,
      .reference = each(families::matmul_reference),
      .one_thread = each(families::matmul_one_thread),
      .all_threads = each(families::matmul_all_threads),
      .fast = each(families::matmul_fast),
      .check_sizes = {{1, 1, 1, 1}, {31, 5, 33, 2}, {33, 70, 31, 3}, {64, 64, 64, 4}, {33, 40, 35, 7}},
      .time_sizes = {{64, 4096, 64, 16}, {256, 512, 256, 8}},
      .allow = product.allow,
      .cost =
          [](const lab::problem_size& s) {
            const double n = s[0], m = s[1], p = s[2], count = s[3];
            return lab::problem_cost{.bytes = sizeof(float) * count * (n * m + m * p + n * p),
                                     .operations = 2 * count * n * m * p};
          },
      .gates = {at_the_same_time("The products do not depend on each other: launch each in a stream of its own, "
                                 "which cudaStreamCreate makes.",
                                 10.6, {64, 4096, 64, 16})},
  };
}

auto split_launcher(const std::string& name) {
  const auto product = families::matmul();
  return lab::launcher<decltype(matmul_split)>{
      .name = name,
      .parameters = {"a", "b", "c", "n", "m", "p", "parts"},
      .axes = {"n", "m", "p", "parts"},
      .make = make_split,
      .reference = whole(families::matmul_reference),
      .one_thread = whole(families::matmul_one_thread),
      .all_threads = whole(families::matmul_all_threads),
      .fast = whole(families::matmul_fast),
      .check_sizes = {{1, 1, 1, 1},
                      {1, 2, 1, 5},
                      {31, 64, 33, 1},
                      {33, 7, 31, 5},
                      {64, 2, 40, 5},
                      {32, 96, 32, 3},
                      {33, 97, 70, 3},
                      {97, 130, 5, 4},
                      {34, 100, 66, 2},
                      {34, 149, 65, 5}},
      .time_sizes = {{256, 512, 256, 4}, {64, 65'536, 64, 8}, {2000, 1000, 5000, 4}},
      .allow = product.allow,
      .cost = product.cost,
      .gates = {{.metric = lab::traffic::load_sectors,
                 .at = {64, 64, 64, 4},
                 .limit = 8192,  // a fifth of those without tiles
                 .why = "Each part must use tiles in shared memory, as in lab 07.",
                 .costs = 1.47,
                 .costs_at = {512, 2048, 512, 4}},
                at_the_same_time("Each of the four parts must be a kernel in a stream of its own, "
                                 "which cudaStreamCreateWithFlags makes.",
                                 5.73, {64, 65'536, 64, 8})},
  };
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Streams",
        .idea = "kernels side by side, events that order them, and a race between streams",
        .launchers = {batch_launcher(), split_launcher("matmul_split_atomic"), split_launcher("matmul_split")},
        .stages = {{"streams that overlap", {"matmul_batch"}},
                   {"events that order them", {"matmul_split"}},
                   {"a race between streams", {"matmul_split_atomic"}}},
        .errors = {"leak"},
    }};

}  // namespace
