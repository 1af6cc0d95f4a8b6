#include "lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/lab_definition.hpp"

namespace {

// How often the filter fits along one axis.
int places(int length, int filter, int stride) { return (length - filter) / stride + 1; }

using floats = std::span<const float>;

std::string impossible_line(const lab::problem_size& s) {
  if (s[1] > longest_filter) return fmt::format("a filter of {} is longer than {}", s[1], longest_filter);
  return s[1] > s[0] ? fmt::format("a filter of {} does not fit into {}", s[1], s[0]) : "";
}

auto make_line(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], p = s[1];
  return std::tuple{random.values({n}), random.values({p}), lab::output<float>({n - p + 1}), n, p};
}

template <class Number>
float line_at(floats in, floats filter, int p, std::int64_t i) {
  Number sum = 0;
  for (int u = 0; u < p; ++u) sum += static_cast<Number>(filter[u]) * in[i + u];
  return static_cast<float>(sum);
}

void line_reference(floats in, floats filter, std::span<float> out, int n, int p) {
  for (int i = 0; i <= n - p; ++i) out[i] = line_at<double>(in, filter, p, i);
}

void line_one_thread(floats in, floats filter, std::span<float> out, int n, int p) {
  for (int i = 0; i <= n - p; ++i) out[i] = line_at<float>(in, filter, p, i);
}

constexpr std::int64_t piece = 1 << 14;  // outputs that a thread computes together

void line_all_threads(floats in, floats filter, std::span<float> out, int n, int p) {
  const std::int64_t outputs = n - p + 1;
  lab::parallel_for((outputs + piece - 1) / piece, [&](std::int64_t number) {
    for (auto i = number * piece; i < std::min(outputs, (number + 1) * piece); ++i)
      out[i] = line_at<float>(in, filter, p, i);
  });
}

// One element of the filter after the other: neighbours that a vector unit can take together, and that stay in a cache.
void line_fast(floats in, floats filter, std::span<float> out, int n, int p) {
  const std::int64_t outputs = n - p + 1;
  lab::parallel_for((outputs + piece - 1) / piece, [&](std::int64_t number) {
    const auto first = number * piece, count = std::min(piece, outputs - first);
    float* __restrict sums = &out[first];
    std::fill_n(sums, count, 0.0f);
    for (int u = 0; u < p; ++u) {
      const float* __restrict from = &in[first + u];
      for (std::int64_t i = 0; i < count; ++i) sums[i] += filter[u] * from[i];
    }
  });
}

std::string impossible_image(const lab::problem_size& s) {
  const bool fits = s[2] <= s[0] && s[3] <= s[1];
  return fits ? "" : fmt::format("a filter of {} x {} does not fit into {} x {}", s[2], s[3], s[0], s[1]);
}

auto make(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], m = s[1], p = s[2], q = s[3], stride = s[4];
  return std::tuple{random.values({n, m}),
                    random.values({p, q}),
                    lab::output<float>({places(n, p, stride), places(m, q, stride)}),
                    n,
                    m,
                    p,
                    q,
                    stride};
}

struct problem {
  std::span<const float> in, filter;
  int n, m, p, q, stride;

  int rows() const { return places(n, p, stride); }
  int cols() const { return places(m, q, stride); }
  const float* at(std::int64_t row, std::int64_t col) const { return &in[row * m + col]; }
};

template <class Number>
Number at(const problem& x, std::int64_t row, std::int64_t col) {
  Number sum = 0;
  for (std::int64_t u = 0; u < x.p; ++u) {
    const float* from = x.at(row * x.stride + u, col * x.stride);
    for (std::int64_t v = 0; v < x.q; ++v) sum += static_cast<Number>(x.filter[u * x.q + v]) * from[v];
  }
  return sum;
}

template <class Number>
void plain_row(const problem& x, std::span<float> out, std::int64_t row) {
  const std::int64_t cols = x.cols();
  for (std::int64_t col = 0; col < cols; ++col) out[row * cols + col] = static_cast<float>(at<Number>(x, row, col));
}

// Outputs `first` to `first` + width of a row, whose sums stay in vector registers through the whole filter.
template <int width>
void fast_outputs(const problem& x, float* out, std::int64_t row, std::int64_t first) {
  std::array<float, width> sums{};
  for (int u = 0; u < x.p; ++u)
    for (int v = 0; v < x.q; ++v) {
      const float weight = x.filter[u * x.q + v];
      const float* from = x.at(row + u, first + v);
      for (int i = 0; i < width; ++i) sums[i] += weight * from[i];
    }
  std::ranges::copy(sums, out + first);
}

void fast_row_of_stride_1(const problem& x, std::span<float> out, std::int64_t row) {
  constexpr int width = 32;
  const std::int64_t cols = x.cols();
  float* own = &out[row * cols];
  std::int64_t col = 0;
  for (; col + width <= cols; col += width) fast_outputs<width>(x, own, row, col);
  for (; col < cols; ++col) fast_outputs<1>(x, own, row, col);
}

// One element of the filter after the other, for a whole row of outputs: neighbours that a vector unit can take
// together.
void fast_row(const problem& x, std::span<float> out, std::int64_t row) {
  const std::int64_t cols = x.cols(), stride = x.stride;
  float* __restrict sums = &out[row * cols];
  std::fill_n(sums, cols, 0.0f);
  for (int u = 0; u < x.p; ++u)
    for (int v = 0; v < x.q; ++v) {
      const float weight = x.filter[u * x.q + v];
      const float* __restrict from = x.at(row * stride + u, v);
      for (std::int64_t col = 0; col < cols; ++col) sums[col] += weight * from[col * stride];
    }
}

void reference(floats in, floats filter, std::span<float> out, int n, int m, int p, int q, int stride) {
  const problem x{in, filter, n, m, p, q, stride};
  for (int row = 0; row < x.rows(); ++row) plain_row<double>(x, out, row);
}

void one_thread(floats in, floats filter, std::span<float> out, int n, int m, int p, int q, int stride) {
  const problem x{in, filter, n, m, p, q, stride};
  for (int row = 0; row < x.rows(); ++row) plain_row<float>(x, out, row);
}

void all_threads(floats in, floats filter, std::span<float> out, int n, int m, int p, int q, int stride) {
  const problem x{in, filter, n, m, p, q, stride};
  lab::parallel_for(x.rows(), [&](std::int64_t row) { plain_row<float>(x, out, row); });
}

void fast(floats in, floats filter, std::span<float> out, int n, int m, int p, int q, int stride) {
  const problem x{in, filter, n, m, p, q, stride};
  lab::parallel_for(x.rows(),
                    [&](std::int64_t row) { stride == 1 ? fast_row_of_stride_1(x, out, row) : fast_row(x, out, row); });
}

// A stride larger than the filter leaves rows and columns out.
lab::problem_cost cost(const lab::problem_size& s) {
  const double rows = places(s[0], s[2], s[4]), cols = places(s[1], s[3], s[4]), taps = 1.0 * s[2] * s[3];
  const double read = ((rows - 1) * std::min(s[2], s[4]) + s[2]) * ((cols - 1) * std::min(s[3], s[4]) + s[3]);
  return {.bytes = sizeof(float) * (read + taps + rows * cols), .operations = 2 * taps * rows * cols};
}

auto line_launcher() {
  return lab::launcher<decltype(convolve_line)>{
      .name = "convolve_line",
      .parameters = {"in", "filter", "out", "n", "p"},
      .axes = {"n", "p"},
      .make = make_line,
      .reference = line_reference,
      .one_thread = line_one_thread,
      .all_threads = line_all_threads,
      .fast = line_fast,
      .check_sizes = {{1, 1},
                      {7, 7},
                      {129, 129},
                      {262, 7},
                      {263, 7},
                      {513, 129},
                      {1000, 5},
                      {4099, 33},
                      {100'003, 7},
                      {70'001, 129}},
      .time_sizes = {{10'000'000, 7}, {1 << 28, 7}},
      .drawn_up_to = {0, longest_filter},
      .allow = {.accumulated = 8},
      .cost =
          [](const lab::problem_size& s) {
            const double outputs = s[0] - s[1] + 1;
            return lab::problem_cost{.bytes = sizeof(float) * (s[0] + s[1] + outputs),
                                     .operations = 2.0 * s[1] * outputs};
          },
      .impossible = impossible_line,
      .gates = {{.metric = lab::traffic::load_sectors,
                 .at = {8200, 9},
                 .limit = 5000,  // 1024 for the inputs, 64 for the halos, 2304 for the filter
                 .why = "Neighbouring outputs share 8 of their 9 inputs: load each input once, into shared memory.",
                 .costs = 0.77,
                 .costs_at = {10'000'000, 7}},  // at a filter of 7; 1.04 at 129
                {.metric = lab::traffic::load_requests,
                 .at = {8200, 9},
                 .limit = 8000,  // 4608 without shared memory
                 .why = "A thread must copy few inputs of its own to shared memory, not all inputs of its block.",
                 .costs = 11.9,
                 .costs_at = {10'000'000, 7}},
                {.metric = lab::traffic::threads,
                 .at = {8200, 9},
                 .limit = 2 * 8192,
                 .why = "One thread for each output is enough.",
                 .costs = 13.7,
                 .costs_at = {10'000'000, 7}}},
  };
}

auto image_launcher() {
  return lab::launcher<decltype(convolve)>{
      .name = "convolve",
      .parameters = {"in", "filter", "out", "n", "m", "p", "q", "stride"},
      .axes = {"n", "m", "p", "q", "stride"},
      .make = make,
      .reference = reference,
      .one_thread = one_thread,
      .all_threads = all_threads,
      .fast = fast,
      .check_sizes = {{1, 1, 1, 1, 1},
                      {5, 7, 5, 7, 1},
                      {34, 34, 3, 3, 1},
                      {67, 131, 3, 3, 1},
                      {69, 132, 3, 3, 1},
                      {100, 71, 5, 5, 1},
                      {45, 136, 5, 5, 1},
                      {40, 97, 1, 1, 1},
                      {67, 131, 3, 3, 2},
                      {101, 90, 2, 5, 3},
                      {90, 311, 3, 2, 9},
                      {70, 90, 37, 35, 1},
                      {76, 87, 75, 85, 1},  // a tile of a little more than 48 KB
                      {1, 1021, 1, 1, 4},   // too large a tile as well: 256 and 257 outputs
                      {1, 1025, 1, 1, 4},
                      {131, 134, 129, 130, 1}},
      .time_sizes = {{2000, 5000, 3, 3, 1}, {2000, 5000, 5, 5, 1}, {16384, 16384, 5, 5, 1}},
      .drawn_up_to = {0, 0, 31, 31, 4},
      // Among millions of sums some have all their terms of one sign and all their roundings, too: nine terms can be
      // off by four and a half. A term left out is off by a million.
      .allow = {.accumulated = 8},
      .cost = cost,
      .impossible = impossible_image,
      .gates = {{.metric = lab::traffic::load_requests,
                 .at = {68, 68, 5, 5, 1},
                 .limit = 64 * 64 / 32 * 5 * 5 / 4,
                 .why = "Without a tile each warp loads 25 inputs, most of which its neighbours load as well: at least "
                        "four in five can come from shared memory, and the filter from constant memory.",
                 .costs = 1.16,
                 .costs_at = {2048, 2048, 5, 5, 1}},
                {.metric = lab::traffic::threads,
                 .at = {68, 68, 5, 5, 1},
                 .limit = 2 * 64 * 64,
                 .why = "One thread for each output is enough: divide the rows and columns of the output by those of a "
                        "tile.",
                 .costs = 2.46,
                 .costs_at = {2048, 2048, 5, 5, 1}},
                {.metric = lab::traffic::threads,
                 .at = {61, 61, 1, 1, 4},
                 .limit = 2048,  // two blocks of the largest size for 256 outputs
                 .why = "Where the tile is too large, one thread for each output is enough as well.",
                 .costs = 38.6,
                 .costs_at = {2048, 2048, 1, 1, 4}}},
  };
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Convolution",
        .idea = "a stencil: inputs in shared memory with a halo, first along a line, then in a tile",
        .launchers = {line_launcher(), image_launcher()},
        .stages = {{"one dimension", {"convolve_line"}}, {"two dimensions", {"convolve"}}},
    }};

}  // namespace
