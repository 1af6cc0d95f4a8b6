#include "lab.hpp"

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 2), lab::output<float>({s[1]}), s[0], s[1]};
}

void reference(std::span<const float> a, std::span<float> sums, int rows, int cols) {
  for (int c = 0; c < cols; ++c) {
    double sum = 0;
    for (int r = 0; r < rows; ++r) sum += a[static_cast<std::size_t>(r) * cols + c];
    sums[c] = static_cast<float>(sum);
  }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "column_sums",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(column_sums)>{
                                           .name = "column_sums",
                                           .parameters = {"a", "sums", "rows", "cols"},
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
                                                 return lab::problem_cost{.bytes = 4.0 * s[0] * s[1],
                                                                          .operations = 1.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
