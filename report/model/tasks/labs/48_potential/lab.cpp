#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0]}, 1), random.values({s[0]}, 1), random.values({s[0]}, 1),
                    lab::output<float>({s[0]}), s[0]};
}

void reference(std::span<const float> x, std::span<const float> y, std::span<const float> charge, std::span<float> out,
               int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j) {
      const float dx = x[i] - x[j], dy = y[i] - y[j];
      sum += charge[j] / std::sqrt(dx * dx + dy * dy + 0.01f);
    }
    out[i] = sum;
  }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "potential",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(potential)>{
                                           .name = "potential",
                                           .parameters = {"x", "y", "charge", "out", "n"},
                                           .axes = {"n"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1}, {257}},
                                           .time_sizes = {{10000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 16.0 * s[0],
                                                                          .operations = 8.0 * s[0] * s[0]};
                                               },
                                       }},
                                   }};

}  // namespace
