#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 1), lab::output<float>({s[1], s[1]}), s[0], s[1]};
}

void reference(std::span<const float> a, std::span<float> c, int rows, int cols) {
  const auto at = [&](int r, int col) { return a[static_cast<std::size_t>(r) * cols + col]; };
  for (int i = 0; i < cols; ++i)
    for (int j = 0; j < cols; ++j) {
      float sum = 0;
      for (int k = 0; k < rows; ++k) sum += at(k, i) * at(k, j);
      c[static_cast<std::size_t>(i) * cols + j] = sum;
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "gram",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(gram)>{
                                           .name = "gram",
                                           .parameters = {"a", "c", "rows", "cols"},
                                           .axes = {"rows", "cols"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {33, 70}, {20, 129}},
                                           .time_sizes = {{1000, 500}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{
                                                     .bytes = 4.0 * s[0] * s[1] + 4.0 * s[1] * s[1],
                                                     .operations = 2.0 * s[0] * s[1] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
