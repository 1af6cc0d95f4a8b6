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
                      {65, 97, 67, 3},
                      {97, 130, 5, 4},
                      {130, 100, 140, 2},
                      {150, 149, 130, 5}},
      .time_sizes = {{256, 512, 256, 4}, {64, 65'536, 64, 8}, {2000, 1000, 5000, 4}},
      .allow = product.allow,
      .cost = product.cost,
      .gates = {{.metric = lab::traffic::load_sectors,
                 .at = {64, 64, 64, 4},
                 .limit = 8192,  // a fifth of those without tiles
                 .why = "Each part must use tiles in shared memory, as in lab 07.",
                 .costs = 1.47},
                {.metric = lab::traffic::launches,
                 .at = {64, 64, 64, 4},
                 .least = 4,
                 .why = "Each of the four parts must be a kernel in a stream of its own."}},
  };
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Streams",
        .idea = "a product cut into streams that add to one result: a race, and two ways out",
        .launchers = {split_launcher("matmul_split_atomic"), split_launcher("matmul_split")},
    }};

}  // namespace
