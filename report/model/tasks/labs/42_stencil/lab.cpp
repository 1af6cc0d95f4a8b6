#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 100), lab::output<float>({s[0], s[1]}), s[0], s[1]};
}

void reference(std::span<const float> in, std::span<float> out, int rows, int cols) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const auto at = static_cast<std::size_t>(r) * cols + c;
      const bool edge = r == 0 || c == 0 || r == rows - 1 || c == cols - 1;
      out[at] = edge ? in[at] : 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - cols] + in[at + cols]);
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "stencil",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(stencil)>{
                                           .name = "stencil",
                                           .parameters = {"in", "out", "rows", "cols"},
                                           .axes = {"rows", "cols"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {33, 70}, {100, 257}},
                                           .time_sizes = {{3000, 2000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 8.0 * s[0] * s[1],
                                                                          .operations = 5.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
