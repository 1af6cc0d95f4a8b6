#include "lab.hpp"

#include <algorithm>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0]}, 1),
                    random.values({s[0]}, 1),
                    random.values({s[1]}, 1),
                    random.values({s[1]}, 1),
                    lab::output<float>({s[0]}),
                    s[0],
                    s[1]};
}

void reference(std::span<const float> x, std::span<const float> y, std::span<const float> to_x,
               std::span<const float> to_y, std::span<float> out, int n, int m) {
  for (int i = 0; i < n; ++i) {
    float least = 1e30f;
    for (int j = 0; j < m; ++j) {
      const float dx = x[i] - to_x[j], dy = y[i] - to_y[j];
      least = std::min(least, dx * dx + dy * dy);
    }
    out[i] = least;
  }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "nearest",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(nearest)>{
                                           .name = "nearest",
                                           .parameters = {"x", "y", "to_x", "to_y", "out", "n", "m"},
                                           .axes = {"n", "m"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {257, 130}},
                                           .time_sizes = {{10000, 10000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 12.0 * s[0] + 8.0 * s[1],
                                                                          .operations = 6.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
