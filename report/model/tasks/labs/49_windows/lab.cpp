#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 1), lab::output<float>({s[0], s[1]}), s[0], s[1]};
}

void reference(std::span<const float> in, std::span<float> out, int rows, int cols) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      float sum = 0;
      for (int k = std::max(0, c - 8); k <= std::min(cols - 1, c + 8); ++k)
        sum += in[static_cast<std::size_t>(r) * cols + k];
      out[static_cast<std::size_t>(r) * cols + c] = sum / 17;
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "windows",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(windows)>{
                                           .name = "windows",
                                           .parameters = {"in", "out", "rows", "cols"},
                                           .axes = {"rows", "cols"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {33, 70}, {10, 513}},
                                           .time_sizes = {{3000, 2000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 8.0 * s[0] * s[1],
                                                                          .operations = 18.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
