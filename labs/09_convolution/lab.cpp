#include "lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/lab_definition.hpp"

namespace {

// How often the filter fits along one axis.
int places(int length, int filter, int stride) { return (length - filter) / stride + 1; }

auto make(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], m = s[1], p = s[2], q = s[3], stride = s[4];
  if (p > n || q > m)
    throw lab::usage_error(fmt::format("size {}: a filter of {} x {} does not fit into {} x {}", s.name(), p, q, n, m));
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

using floats = std::span<const float>;

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

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Convolution",
        .idea = "a stencil: the filter in constant memory, its inputs in a shared tile with a halo",
        .launchers = {lab::launcher<decltype(convolve)>{
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
            // Among millions of sums some have all their terms of one sign and all their roundings, too: nine terms
            // can be off by four and a half. A term left out is off by a million.
            .allow = {.accumulated = 8},
            .cost = cost,
            .gates = {{.metric = lab::traffic::load_requests,
                       .at = {68, 68, 5, 5, 1},
                       .limit = 64 * 64 / 32 * 5 * 5 / 4,
                       .why = "Without a tile each warp loads 25 inputs, most of which its neighbours load as well: at "
                              "least four in five can come from shared memory, and the filter from constant memory.",
                       .costs = 1.16},
                      {.metric = lab::traffic::threads,
                       .at = {68, 68, 5, 5, 1},
                       .limit = 2 * 64 * 64,
                       .why =
                           "One thread for each output is enough: divide the rows and columns of the output by those "
                           "of a tile.",
                       .costs = 2.46},
                      {.metric = lab::traffic::threads,
                       .at = {61, 61, 1, 1, 4},
                       .limit = 2048,  // two blocks of the largest size for 256 outputs
                       .why = "Where the tile is too large, one thread for each output is enough as well."}},
        }},
    }};

}  // namespace
