#include "lab.hpp"

#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& size, lab::random& random) {
  const int n = size[0];
  constexpr int limit = 10'000'000;  // no product overflows
  const int factor = random.integers<int>({1}, 2, 99).values.front();
  return std::tuple{random.integers<int>({n}, -limit, limit), lab::output<int>({n}), n, factor};
}

// The simplest loop; it defines the correct result.
void reference(std::span<const int> in, std::span<int> out, int n, int factor) {
  for (int i = 0; i < n; ++i) out[i] = factor * in[i];
}

void all_threads(std::span<const int> in, std::span<int> out, int n, int factor) {
  constexpr std::int64_t piece = 1 << 18;
  lab::parallel_for((n + piece - 1) / piece, [&](std::int64_t p) {
    for (auto i = p * piece; i < std::min<std::int64_t>(n, (p + 1) * piece); ++i) out[i] = factor * in[i];
  });
}

lab::gate at_most_4(lab::traffic metric) {
  return {.metric = metric,
          .at = {4096},  // rows that start at a sector boundary
          .limit = 4,
          .why = "Neighbouring threads must access neighbouring elements: 32 consecutive ints fill 4 sectors."};
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "TITLE",
                                       .idea = "the idea of this lab, in half a sentence",
                                       .launchers = {lab::launcher<decltype(scale)>{
                                           .name = "scale",
                                           .parameters = {"in", "out", "n", "factor"},
                                           .axes = {"n"},
                                           .make = make,
                                           .reference = reference,
                                           .one_thread = reference,
                                           .all_threads = all_threads,
                                           .fast = all_threads,  // the compiler vectorises this loop
                                           .check_sizes = {{1}, {31}, {255}, {256}, {257}, {4099}, {100'003}},
                                           .time_sizes = {{1'000'000}, {1 << 26}},
                                           .cost =
                                               [](const lab::problem_size& size) {
                                                 return lab::problem_cost{.bytes = 2.0 * sizeof(int) * size[0],
                                                                          .operations = 1.0 * size[0]};
                                               },
                                           .gates = {at_most_4(lab::traffic::load_sectors_per_request),
                                                     at_most_4(lab::traffic::store_sectors_per_request)},
                                       }},
                                   }};

}  // namespace
