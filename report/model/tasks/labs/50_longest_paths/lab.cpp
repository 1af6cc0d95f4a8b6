#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 1),
                    random.values({s[1], s[2]}, 1),
                    lab::output<float>({s[0], s[2]}),
                    s[0],
                    s[1],
                    s[2]};
}

void reference(std::span<const float> a, std::span<const float> b, std::span<float> c, int n, int m, int p) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < p; ++j) {
      float most = -1e30f;
      for (int k = 0; k < m; ++k)
        most = std::max(most, a[static_cast<std::size_t>(i) * m + k] + b[static_cast<std::size_t>(k) * p + j]);
      c[static_cast<std::size_t>(i) * p + j] = most;
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "longest_paths",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(longest_paths)>{
                                           .name = "longest_paths",
                                           .parameters = {"a", "b", "c", "n", "m", "p"},
                                           .axes = {"n", "m", "p"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1, 1}, {33, 5, 70}, {130, 17, 65}},
                                           .time_sizes = {{500, 500, 500}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{
                                                     .bytes = 4.0 * (s[0] * s[1] + s[1] * s[2] + s[0] * s[2]),
                                                     .operations = 2.0 * s[0] * s[1] * s[2]};
                                               },
                                       }},
                                   }};

}  // namespace
