#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0]}, 1), lab::output<float>({s[0]}), s[0], s[1]};
}

void reference(std::span<const float> in, std::span<float> out, int n, int degree) {
  for (int i = 0; i < n; ++i) {
    float sum = 1;
    for (int k = 0; k < degree; ++k) sum = sum * (in[i] / 2) + 1;
    out[i] = sum;
  }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "polynomial",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(polynomial)>{
                                           .name = "polynomial",
                                           .parameters = {"in", "out", "n", "degree"},
                                           .axes = {"n", "degree"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {257, 7}},
                                           .time_sizes = {{1000000, 32}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 8.0 * s[0],
                                                                          .operations = 2.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
