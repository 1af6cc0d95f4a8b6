#include "lab.hpp"

#include "families/on_cpu.hpp"
#include "lab/lab_definition.hpp"

namespace {

constexpr std::int64_t piece = 1 << 18;

void increment_one(std::span<float> a, int n) {
  for (int i = 0; i < n; ++i) a[i] += 1;
}

void increment_all(std::span<float> a, int n) {
  lab::parallel_for((n + piece - 1) / piece, [&](std::int64_t p) {
    for (auto i = p * piece; i < std::min<std::int64_t>(n, (p + 1) * piece); ++i) a[i] += 1;
  });
}

// In place, so that there is nothing to stream past the caches.
void increment_fast(std::span<float> a, int n) {
  families::for_each_piece(n, [a](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) a[i] += 1;
  });
}

void multiply_one(std::span<const float> a, std::span<const float> b, std::span<float> out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

void multiply_all(std::span<const float> a, std::span<const float> b, std::span<float> out, int n) {
  lab::parallel_for((n + piece - 1) / piece, [&](std::int64_t p) {
    for (auto i = p * piece; i < std::min<std::int64_t>(n, (p + 1) * piece); ++i) out[i] = a[i] * b[i];
  });
}

void multiply_fast(std::span<const float> a, std::span<const float> b, std::span<float> out, int) {
  families::fill_streaming(out, [=](std::int64_t i) { return a[i] * b[i]; });
}

// One load and one store of a float for each addition.
lab::problem_cost increment_cost(const lab::problem_size& s) {
  return {.bytes = 2.0 * sizeof(float) * s[0], .operations = 1.0 * s[0]};
}

lab::gate coalesced(lab::traffic metric, lab::problem_size at, double costs) {
  return {.metric = metric,
          .at = std::move(at),
          .limit = 4,
          .why = "In each step of its loop a warp must take 32 neighbours: step by the number of threads of the grid.",
          .costs = costs,
          .costs_at = {16'777'216}};
}

auto increment_launcher(const std::string& name, lab::memory_space where) {
  return lab::launcher<decltype(increment)>{
      .name = name,
      .parameters = {"a", "n"},
      .axes = {"n"},
      .memory = where,
      .make =
          [](const lab::problem_size& s, lab::random& random) {
            return std::tuple{random.values({s[0]}, 1000), s[0]};
          },
      .reference = increment_one,
      .one_thread = increment_one,
      .all_threads = increment_all,
      .fast = increment_fast,
      .check_sizes = {{1}, {255}, {256}, {257}, {4099}, {270'336}, {270'337}, {1'000'000}},
      .time_sizes = {{1'000'000}, {1 << 28}},
      .cost = increment_cost,
      .gates = {{.metric = lab::traffic::threads,
                 .at = {1'000'000},
                 .limit = 2 * 270'336,
                 .why = "A loop over the grid needs no more threads than the device holds at a time.",
                 .costs = 1.09,
                 .costs_at = {16'777'216}},
                {.metric = lab::traffic::threads,
                 .at = {1'000'000},
                 .least = 16'384,
                 .why = "Fewer threads leave most multiprocessors without work. Use as many blocks as the device "
                        "holds at a time.",
                 .costs = 503,
                 .costs_at = {16'777'216}}},
  };
}

lab::launcher_spec host_launcher() {
  auto part = increment_launcher("increment_host", lab::memory_space::host);
  part.check_sizes = {{1}, {257}, {100'003}};
  part.time_sizes = {{1'000'000}};
  part.gates = {};
  return part;
}

// A program of `increment`; the grid makes no difference to the result.
auto on_cpu(void program(std::span<float>, int)) {
  return [program](std::span<float> a, int n, int, int) { program(a, n); };
}

auto increment_with_launcher() {
  return lab::launcher<decltype(increment_with)>{
      .name = "increment_with",
      .parameters = {"a", "n", "blocks", "threads"},
      .axes = {"n", "blocks", "threads"},
      .make =
          [](const lab::problem_size& s, lab::random& random) {
            return std::tuple{random.values({s[0]}, 1000), s[0], s[1], s[2]};
          },
      .reference = on_cpu(increment_one),
      .one_thread = on_cpu(increment_one),
      .all_threads = on_cpu(increment_all),
      .fast = on_cpu(increment_fast),
      .check_sizes = {{1, 1, 1},
                      {1000, 1, 1},
                      {1000, 2, 96},
                      {999, 3, 100},
                      {1024, 2, 1024},
                      {5000, 7, 33},
                      {4096, 16, 256},
                      {4097, 16, 256},
                      {1000, 40, 256},
                      {100'003, 2, 1000}},
      .time_sizes = {{1'000'000, 32, 128},
                     {1'000'000, 3907, 256},
                     {1'000'000, 31'250, 256},
                     {1 << 28, 32, 128},
                     {1 << 28, 1 << 20, 256},
                     {1 << 28, 1 << 23, 256}},
      .cost = increment_cost,
      .gates = {coalesced(lab::traffic::load_sectors_per_request, {65'536, 4, 256}, 8.76),
                coalesced(lab::traffic::store_sectors_per_request, {65'536, 4, 256}, 8.76)},
  };
}

auto multiply_launcher() {
  return lab::launcher<decltype(multiply)>{
      .name = "multiply",
      .parameters = {"a", "b", "out", "n"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size& s, lab::random& random) {
            const int n = s[0];
            return std::tuple{random.values({n}, 1000), random.values({n}, 1000), lab::output<float>({n}), n};
          },
      .reference = multiply_one,
      .one_thread = multiply_one,
      .all_threads = multiply_all,
      .fast = multiply_fast,
      .check_sizes = {{1}, {257}, {4099}, {270'337}, {1'000'003}},
      .time_sizes = {{1'000'000}, {1 << 28}},
      .cost =
          [](const lab::problem_size& s) {
            return lab::problem_cost{.bytes = 3.0 * sizeof(float) * s[0], .operations = 1.0 * s[0]};
          },
      .gates = {coalesced(lab::traffic::load_sectors_per_request, {540'672}, 20.8)},
  };
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Grid-stride loops",
                                       .idea = "any grid is right for any n; how many blocks; what copies cost",
                                       .launchers = {increment_launcher("increment", lab::memory_space::device),
                                                     increment_with_launcher(), multiply_launcher(), host_launcher()},
                                       .stages = {{"the loop", {"increment_with"}},
                                                  {"how many blocks", {"multiply", "increment"}},
                                                  {"the copies", {"increment_host"}}},
                                   }};

}  // namespace
