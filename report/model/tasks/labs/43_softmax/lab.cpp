#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 4), lab::output<float>({s[0], s[1]}), s[0], s[1]};
}

void reference(std::span<const float> in, std::span<float> out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const auto* from = in.data() + static_cast<std::size_t>(r) * cols;
    auto* to = out.data() + static_cast<std::size_t>(r) * cols;
    float most = from[0];
    for (int c = 0; c < cols; ++c) most = std::max(most, from[c]);
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += std::exp(double(from[c]) - most);
    for (int c = 0; c < cols; ++c) to[c] = static_cast<float>(std::exp(double(from[c]) - most) / sum);
  }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "softmax",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(softmax)>{
                                           .name = "softmax",
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
                                                                          .operations = 4.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
