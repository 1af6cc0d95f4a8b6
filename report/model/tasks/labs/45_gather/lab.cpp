#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0]}, 100), random.integers<int>({s[0]}, 0, 1 << 20), lab::output<float>({s[0]}),
                    s[0]};
}

void reference(std::span<const float> in, std::span<const int> from, std::span<float> out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[from[i] % n];
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "gather",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(gather)>{
                                           .name = "gather",
                                           .parameters = {"in", "from", "out", "n"},
                                           .axes = {"n"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1}, {257}},
                                           .time_sizes = {{1000000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 12.0 * s[0],
                                                                          .operations = 1.0 * s[0]};
                                               },
                                       }},
                                   }};

}  // namespace
