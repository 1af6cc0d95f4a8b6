#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[1], s[0]}, 1),
                    random.values({s[1], s[2]}, 1),
                    lab::output<float>({s[0], s[2]}),
                    s[0],
                    s[1],
                    s[2]};
}

void reference(std::span<const float> x, std::span<const float> y, std::span<float> d, int n, int m, int p) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < p; ++j) {
      float sum = 0;
      for (int k = 0; k < m; ++k) {
        const float apart = x[static_cast<std::size_t>(k) * n + i] - y[static_cast<std::size_t>(k) * p + j];
        sum += apart * apart;
      }
      d[static_cast<std::size_t>(i) * p + j] = sum;
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "distances",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(distances)>{
                                           .name = "distances",
                                           .parameters = {"x", "y", "d", "n", "m", "p"},
                                           .axes = {"n", "m", "p"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1, 1}, {33, 5, 70}, {130, 17, 65}},
                                           .time_sizes = {{1000, 64, 1000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{
                                                     .bytes = 4.0 * (s[0] * s[1] + s[1] * s[2] + s[0] * s[2]),
                                                     .operations = 3.0 * s[0] * s[1] * s[2]};
                                               },
                                       }},
                                   }};

}  // namespace
