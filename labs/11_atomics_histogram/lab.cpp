#include "lab.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "families/on_cpu.hpp"
#include "lab/lab_definition.hpp"

namespace {

struct range {
  float low, high;
};

// The tutorials' range for their 150 bins; elsewhere one whose middle is not zero.
range range_for(int nbins) { return nbins == 150 ? range{-4, 4} : range{-1.5f, 3.25f}; }

// What a bin's computation may get wrong: the edges of the range, their neighbours, and what no bin holds.
void put_edges(std::vector<float>& x, range r) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float edges[] = {r.low,  std::nextafter(r.low, -infinity),  r.low - 0.01f, infinity, 1e30f,
                         r.high, std::nextafter(r.high, -infinity), -infinity,     -1e30f,   std::nanf("")};
  if (x.size() > std::size(edges)) std::ranges::copy(edges, x.begin());
}

// Normal samples; or whole numbers, which may lie exactly between two bins, and the edges.
auto make_samples(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], nbins = s[1];
  const auto r = range_for(nbins);
  const bool lattice = random.kind() == lab::inputs::lattice;
  auto x = lattice ? random.values({n}, 5) : random.normal({n});
  if (lattice) put_edges(x.values, r);
  return std::tuple{x, lab::output<int>({nbins}), n, nbins, r.low, r.high};
}

// The bin of a sample, or -1: the very expression that lab.hpp names. No multiplication is followed by an addition, so
// no compiler can merge two roundings into one.
int bin_of(float x, int nbins, float xmin, float xmax) {
  if (!(x >= xmin && x < xmax)) return -1;
  const float scale = nbins / (xmax - xmin);
  return std::min(static_cast<int>((x - xmin) * scale), nbins - 1);
}

void histogram_one(std::span<const float> x, std::span<int> bins, int n, int nbins, float xmin, float xmax) {
  std::ranges::fill(bins, 0);
  for (int i = 0; i < n; ++i)
    if (const int bin = bin_of(x[i], nbins, xmin, xmax); bin >= 0) ++bins[bin];
}

constexpr std::int64_t piece = 1 << 18;

// The CPU's threads privatise, too: each piece is counted apart.
void histogram_all(std::span<const float> x, std::span<int> bins, int n, int nbins, float xmin, float xmax) {
  std::ranges::fill(bins, 0);
  std::mutex adding;
  lab::parallel_for((n + piece - 1) / piece, [&](std::int64_t p) {
    std::vector<int> mine(nbins);
    const auto here = x.subspan(p * piece, std::min(piece, n - p * piece));
    histogram_one(here, mine, static_cast<int>(here.size()), nbins, xmin, xmax);
    const std::lock_guard lock{adding};
    for (int bin = 0; bin < nbins; ++bin) bins[bin] += mine[bin];
  });
}

// The bins of a block of samples; what no bin holds gets a bin of its own at the end. The compiler vectorises this
// loop.
void bins_of(std::span<const float> x, int* bins, int nbins, float xmin, float xmax) {
  const float scale = nbins / (xmax - xmin), outside = static_cast<float>(nbins);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float place = (x[i] - xmin) * scale;
    const bool inside = (x[i] >= xmin) & (x[i] < xmax);
    const int bin = static_cast<int>(inside ? place : outside);
    bins[i] = inside ? std::min(bin, nbins - 1) : nbins;
  }
}

// Neighbouring samples often have the same bin, so that they count in different copies: no addition waits for the last.
void count_bins(std::span<const int> bins, std::span<int> copies, std::size_t stride) {
  std::size_t i = 0;
  for (; i + 4 <= bins.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) ++copies[k * stride + bins[i + k]];
  for (; i < bins.size(); ++i) ++copies[bins[i]];
}

void histogram_fast(std::span<const float> x, std::span<int> bins, int n, int nbins, float xmin, float xmax) {
  constexpr std::int64_t block = 1024;
  std::ranges::fill(bins, 0);
  std::mutex adding;
  const std::int64_t share = std::max<std::int64_t>((n + lab::cores() - 1) / lab::cores(), 1 << 16);
  lab::parallel_for((n + share - 1) / share, [&](std::int64_t part) {
    const std::size_t stride = nbins + 1;
    std::vector<int> copies(4 * stride), chosen(block);
    const auto end = std::min<std::int64_t>(n, (part + 1) * share);
    for (auto first = part * share; first < end; first += block) {
      const auto here = x.subspan(first, std::min(block, end - first));
      bins_of(here, chosen.data(), nbins, xmin, xmax);
      count_bins(std::span{chosen}.first(here.size()), copies, stride);
    }
    const std::lock_guard lock{adding};
    for (int bin = 0; bin < nbins; ++bin)
      for (std::size_t k = 0; k < 4; ++k) bins[bin] += copies[k * stride + bin];
  });
}

// Four counters in registers for each thread, which meet once. The empty assembly keeps the additions: without it the
// compiler replaces the loops by one addition of n.
int counted(std::int64_t first, std::int64_t end) {
  std::array<int, 4> mine{};
  auto i = first;
  for (; i + 4 <= end; i += 4) {
    ++mine[0], ++mine[1], ++mine[2], ++mine[3];
    asm volatile("" : "+r"(mine[0]), "+r"(mine[1]), "+r"(mine[2]), "+r"(mine[3]));
  }
  return mine[0] + mine[1] + mine[2] + mine[3] + static_cast<int>(end - i);
}

void count_one(std::span<int> counter, int n) { counter[0] += counted(0, n); }

// One counter for all threads, as the kernel has it.
void count_all(std::span<int> counter, int n) {
  std::atomic_ref<int> shared{counter[0]};
  families::for_each_piece(n, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) ++shared;
  });
}

void count_fast(std::span<int> counter, int n) {
  std::atomic<int> sum{0};
  families::for_each_piece(n, [&](std::int64_t begin, std::int64_t end) { sum += counted(begin, end); });
  counter[0] += sum;
}

auto count_launcher() {
  return lab::launcher<decltype(count)>{
      .name = "count",
      .parameters = {"counter", "n"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size& s, lab::random& random) {
            return std::tuple{random.integers<int>({1}, 0, 1000), s[0]};
          },
      .reference = [](std::span<int> counter, int n) { counter[0] += n; },
      .one_thread = count_one,
      .all_threads = count_all,
      .fast = count_fast,
      .check_sizes = {{1}, {2}, {32}, {255}, {257}, {4099}, {100'003}, {1'000'000}},
      .time_sizes = {{1'000'000}, {1 << 24}},
      .cost =
          [](const lab::problem_size& s) {
            return lab::problem_cost{.bytes = 2.0 * sizeof(int), .operations = 1.0 * s[0]};
          },
  };
}

lab::problem_cost histogram_cost(const lab::problem_size& s) {
  return {.bytes = sizeof(float) * 1.0 * s[0] + sizeof(int) * 1.0 * s[1], .operations = 3.0 * s[0]};
}

auto histogram_launcher() {
  return lab::launcher<decltype(histogram)>{
      .name = "histogram",
      .parameters = {"x", "bins", "n", "nbins", "xmin", "xmax"},
      .axes = {"n", "nbins"},
      .make = make_samples,
      .reference = histogram_one,
      .one_thread = histogram_one,
      .all_threads = histogram_all,
      .fast = histogram_fast,
      .check_sizes = {{1, 2},
                      {255, 2},
                      {1000, 150},
                      {4099, 257},
                      {5000, 12'288},
                      {5003, 12'289},
                      {300'001, 12'289},
                      {70'001, 20'011},
                      {100'003, 1021},
                      {1'000'000, 150}},
      .time_sizes = {{1'000'000, 150}, {1 << 28, 150}},
      .drawn_up_to = {0, 65'536},
      .cost = histogram_cost,
      .gates = {{.metric = lab::traffic::global_atomics,
                 .at = {1'000'000, 150},
                 .limit = 300'000,  // 1056 blocks of an H200 add 150 bins each: 158 400
                 .why = "Count in private bins in shared memory; each block adds a bin to the result once.",
                 .costs = 96.4,
                 .costs_at = {16'777'216, 150}},
                {.metric = lab::traffic::threads,
                 .at = {1'000'000, 150},
                 .limit = 2 * 270'336,
                 .why =
                     "Every block adds all its bins to the result, so a loop over the grid needs no more blocks than "
                     "the device holds at a time.",
                 .costs = 9.29,
                 .costs_at = {16'777'216, 150}}},
  };
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Atomics and a histogram",
        .idea = "updates get lost when threads share a counter: atomics, then private counters",
        .launchers = {count_launcher(), histogram_launcher()},
        .stages = {{"one counter", {"count"}}, {"a histogram", {"histogram"}}},
    }};

}  // namespace
