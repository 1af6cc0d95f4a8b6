#include "lab.hpp"

#include "families/on_cpu.hpp"
#include "lab/lab_definition.hpp"

namespace {

auto make(const lab::problem_size& s, lab::random& random) {
  const int n = s[0];
  constexpr int limit = 1'000'000'000;  // no sum overflows
  return std::tuple{random.integers<int>({n}, -limit, limit), random.integers<int>({n}, -limit, limit),
                    lab::output<int>({n}), n};
}

void one_thread(std::span<const int> a, std::span<const int> b, std::span<int> out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

void all_threads(std::span<const int> a, std::span<const int> b, std::span<int> out, int n) {
  constexpr std::int64_t piece = 1 << 18;
  lab::parallel_for((n + piece - 1) / piece, [&](std::int64_t p) {
    for (auto i = p * piece; i < std::min<std::int64_t>(n, (p + 1) * piece); ++i) out[i] = a[i] + b[i];
  });
}

void fast(std::span<const int> a, std::span<const int> b, std::span<int> out, int) {
  families::fill_streaming(out, [=](std::int64_t i) { return a[i] + b[i]; });
}

std::vector<lab::gate> gates() {
  constexpr int n = 4096;
  const std::string neighbours =
      "Neighbouring threads must take neighbouring elements: 32 ints in a row are 4 sectors of 32 bytes.";
  return {{.metric = lab::traffic::load_sectors_per_request,
           .at = {n},
           .limit = 4,
           .why = neighbours,
           .costs = 2.59,
           .costs_at = {16'777'216}},
          {.metric = lab::traffic::store_sectors_per_request,
           .at = {n},
           .limit = 4,
           .why = neighbours,
           .costs = 2.59,
           .costs_at = {16'777'216}},
          {.metric = lab::traffic::load_sectors,
           .at = {n},
           .limit = 1.25 * 2 * n / 8,
           .why = "Each element of `a` and `b` must be loaded once, by the one thread that owns it.",
           .costs = 1.05,
           .costs_at = {16'777'216}},
          {.metric = lab::traffic::threads,
           .at = {n},
           .limit = 2 * n,
           .why = "The grid needs one thread for each element: divide n by the threads of a block, and round up.",
           .costs = 20.8,
           .costs_at = {16'777'216}}};
}

auto launcher(const std::string& name, lab::memory_space where) {
  return lab::launcher<decltype(vector_add)>{
      .name = name,
      .parameters = {"a", "b", "out", "n"},
      .axes = {"n"},
      .memory = where,
      .make = make,
      .reference = one_thread,
      .one_thread = one_thread,
      .all_threads = all_threads,
      .fast = fast,
      .check_sizes = {{1}, {31}, {255}, {256}, {257}, {1000}, {4099}, {100'003}, {300'007}},
      .time_sizes = {{1000}, {1'000'000}, {1 << 28}},
      .cost =
          [](const lab::problem_size& s) {
            return lab::problem_cost{.bytes = 3.0 * sizeof(int) * s[0], .operations = 1.0 * s[0]};
          },
      .gates = gates(),
  };
}

lab::launcher_spec host_part() {
  auto part = launcher("vector_add_host", lab::memory_space::host);
  part.check_sizes = {{1}, {257}, {100'003}};
  part.time_sizes = {{1'000'000}};
  part.gates = {};
  return part;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Vector addition",
        .idea = "one thread per element, a guard for the last block, and the whole host side",
        .launchers = {launcher("vector_add", lab::memory_space::device), host_part()},
        .stages = {{"the kernel", {"vector_add"}}, {"the host side", {"vector_add_host"}}},
        .errors = {"leak", "host_code"},
    }};

}  // namespace
