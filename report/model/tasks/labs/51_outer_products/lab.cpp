#include "lab.hpp"

#include <algorithm>
#include <cmath>

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  return std::tuple{random.values({s[0], s[1]}, 1),
                    random.values({s[0]}, 1),
                    random.values({s[1]}, 1),
                    lab::output<float>({s[0], s[1]}),
                    s[0],
                    s[1]};
}

void reference(std::span<const float> in, std::span<const float> rows, std::span<const float> cols,
               std::span<float> out, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < m; ++c) {
      const auto at = static_cast<std::size_t>(r) * m + c;
      out[at] = in[at] + rows[r] * cols[c];
    }
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "outer_products",
                                       .idea = "a task that the time model has not seen",
                                       .launchers = {lab::launcher<decltype(outer_products)>{
                                           .name = "outer_products",
                                           .parameters = {"in", "rows", "cols", "out", "n", "m"},
                                           .axes = {"n", "m"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = reference,
                                           .fast = reference,
                                           .check_sizes = {{1, 1}, {33, 70}, {130, 257}},
                                           .time_sizes = {{2000, 2000}},
                                           .cost =
                                               [](const lab::problem_size& s) {
                                                 return lab::problem_cost{.bytes = 8.0 * s[0] * s[1],
                                                                          .operations = 2.0 * s[0] * s[1]};
                                               },
                                       }},
                                   }};

}  // namespace
