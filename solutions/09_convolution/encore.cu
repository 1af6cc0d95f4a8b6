#include <algorithm>
#include <cstdint>

#include "any_filter.hpp"
#include "lab.hpp"
#include "line.hpp"

// The convolution at the limit of the memory or of the arithmetic. A square filter of 3 to 11 at stride 1 needs no shared
// memory: a thread computes a patch of outputs from registers and leaves the halo to L1. For 3 x 3 and 5 x 5 it keeps its
// whole part of the input, for 7, 9 and 11 the filter and one row of the input at a time.

// `wide` neighbouring floats, moved by one instruction.
template <int wide>
struct alignas(wide * sizeof(float)) pack {
  float at[wide];
};

constexpr int lanes = 32, warps = 4;  // of a block: lanes side by side, warps one below the other
constexpr int tall = 8;               // outputs that one thread computes, one below the other
constexpr int resident = 4;  // blocks on a multiprocessor: a thread may have 128 registers for its loads to wait in

// A thread's part of the input: the rows and columns under a filter of size x size that moves over wide x tall outputs.
template <int size, int wide>
struct window {
  static constexpr int packs = (wide + size - 1 + wide - 1) / wide;  // across
  pack<wide> rows[tall + size - 1][packs];

  // What lies beyond the edges is replaced by the last row or pack: only outputs that nobody stores depend on it.
  __device__ void load(const float* in, int n, int m, int row, int col) {
#pragma unroll
    for (int r = 0; r < tall + size - 1; ++r) {
      const float* from = in + std::int64_t(min(row + r, n - 1)) * m;
#pragma unroll
      for (int k = 0; k < packs; ++k)
        rows[r][k] = *reinterpret_cast<const pack<wide>*>(from + min(col + k * wide, m - wide));
    }
  }

  __device__ float at(int row, int col) const { return rows[row][col / wide].at[col % wide]; }

  // `count` outputs of a row from column `first` on. All indices are known to the compiler once the loops are unrolled,
  // so that nothing leaves the registers.
  template <int count>
  __device__ pack<count> outputs(const float (&filter)[size][size], int row, int first) const {
    pack<count> sums{};
#pragma unroll
    for (int u = 0; u < size; ++u)
#pragma unroll
      for (int v = 0; v < size; ++v)
#pragma unroll
        for (int x = 0; x < count; ++x) sums.at[x] += filter[u][v] * at(row + u, first + x + v);
    return sums;
  }
};

// The same for all threads; in packs, for each load is an instruction although a warp gets it in one go.
template <int size, int wide>
__device__ void load_filter(const float* filter, float (&weights)[size][size]) {
  constexpr int taps = size * size, packed = taps / wide * wide;
#pragma unroll
  for (int i = 0; i < packed; i += wide) {
    const auto part = *reinterpret_cast<const pack<wide>*>(filter + i);
#pragma unroll
    for (int k = 0; k < wide; ++k) weights[(i + k) / size][(i + k) % size] = part.at[k];
  }
#pragma unroll
  for (int i = packed; i < taps; ++i) weights[i / size][i % size] = filter[i];
}

template <int wide>
__device__ void store(float* to, pack<wide> outputs) {
  *reinterpret_cast<pack<wide>*>(to) = outputs;
}

// Where rows of `out` are half a pack longer than whole packs, every odd one begins half a pack behind a multiple of
// it. There all threads move to the right by half a pack, and the first one computes the half that is left over as
// well; in the even rows it is the last thread that has half a pack only.
template <int size, int wide>
__device__ void store_row(const window<size, wide>& inputs, const float (&weights)[size][size], int r, float* to,
                          int col, int out_cols, bool exists) {
  constexpr bool halves = (size - 1) % wide != 0;
  static_assert(!halves || window<size, wide>::packs * wide >= wide / 2 + wide + size - 1);
  const int shift = halves && r % 2 == 1 ? wide / 2 : 0;
  const auto sums = inputs.template outputs<wide>(weights, r, shift);
  if (!exists) return;
  if constexpr (!halves) {
    store(to + col, sums);
  } else {
    if (col + shift + wide <= out_cols)
      store(to + col + shift, sums);
    else if (shift == 0)
      store(to + col, inputs.template outputs<wide / 2>(weights, r, 0));
    if (shift > 0 && col == 0) store(to, inputs.template outputs<wide / 2>(weights, r, 0));
  }
}

// m must be a multiple of `wide`.
template <int size, int wide>
__global__ void __launch_bounds__(lanes* warps, resident)
    sliding_kernel(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out, int n,
                   int m, int out_rows, int out_cols) {
  const int col = (blockIdx.x * lanes + threadIdx.x) * wide;
  const int first_row = (blockIdx.y * warps + threadIdx.y) * tall;  // even
  if (col >= out_cols || first_row >= out_rows) return;

  window<size, wide> inputs;
  inputs.load(in, n, m, first_row, col);
  float weights[size][size];
  load_filter<size, wide>(filter, weights);

#pragma unroll
  for (int r = 0; r < tall; ++r)
    store_row(inputs, weights, r, out + std::int64_t(first_row + r) * out_cols, col, out_cols,
              first_row + r < out_rows);
}

constexpr int patch_width = 4;  // outputs of a thread side by side

// Larger filters: a thread loads each row of the input once and adds it to all outputs that it reaches, so that an element
// serves up to 32 multiply-adds. `wide` is the width of a load; m must be a multiple of it.
template <int size, int wide>
__global__ void __launch_bounds__(lanes* warps, wide == 1 ? resident : 1)
    streaming_kernel(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out, int n,
                     int m, int out_rows, int out_cols) {
  const int col = (blockIdx.x * lanes + threadIdx.x) * patch_width;
  const int first_row = (blockIdx.y * warps + threadIdx.y) * tall;
  if (col >= out_cols || first_row >= out_rows) return;
  float weights[size][size];
#pragma unroll
  for (int i = 0; i < size * size; ++i) weights[i / size][i % size] = filter[i];

  constexpr int packs = (patch_width + size - 1 + wide - 1) / wide;
  float sums[tall][patch_width] = {};
#pragma unroll
  for (int r = 0; r < tall + size - 1; ++r) {
    // What lies beyond the edges is replaced, as above.
    pack<wide> row[packs];
    const float* from = in + std::int64_t(min(first_row + r, n - 1)) * m;
#pragma unroll
    for (int k = 0; k < packs; ++k) row[k] = *reinterpret_cast<const pack<wide>*>(from + min(col + k * wide, m - wide));
#pragma unroll
    for (int u = 0; u < size; ++u) {
      if (r < u || r - u >= tall) continue;
#pragma unroll
      for (int v = 0; v < size; ++v)
#pragma unroll
        for (int x = 0; x < patch_width; ++x)
          sums[r - u][x] += weights[u][v] * row[(x + v) / wide].at[(x + v) % wide];
    }
  }
#pragma unroll
  for (int r = 0; r < tall; ++r) {
    if (first_row + r >= out_rows) return;
#pragma unroll
    for (int x = 0; x < patch_width; ++x)
      if (col + x < out_cols) out[std::int64_t(first_row + r) * out_cols + col + x] = sums[r][x];
  }
}

constexpr int most_down = 65'535;  // blocks in a grid, downwards

template <int size, int wide>
static void slide(const float* in, const float* filter, float* out, int n, int m) {
  const int out_rows = n - size + 1, out_cols = m - size + 1;
  const auto kernel = size <= 5 ? sliding_kernel<std::min(size, 5), wide> : streaming_kernel<size, wide>;
  const int width = lanes * (size <= 5 ? wide : patch_width), height = warps * tall;
  const dim3 grid((out_cols - 1) / width + 1, (out_rows - 1) / height + 1);
  kernel<<<grid, dim3(lanes, warps)>>>(in, filter, out, n, m, out_rows, out_cols);
}

static std::uintptr_t place(const float* p) { return reinterpret_cast<std::uintptr_t>(p) / sizeof(float); }

// The arrays, and the rows of `in`, must begin at a multiple of the pack, else smaller ones are used.
template <int size>
static void slide(const float* in, const float* filter, float* out, int n, int m) {
  const auto places = place(in) | place(filter) | place(out) | m;
  if (places % 4 == 0)
    slide<size, 4>(in, filter, out, n, m);
  else if (places % 2 == 0)
    slide<size, 2>(in, filter, out, n, m);
  else
    slide<size, 1>(in, filter, out, n, m);
}

void convolve_line(const float* in, const float* filter, float* out, int n, int p) {
  if ((place(in) | place(out)) % line::outputs == 0)
    line::launch<true>(in, filter, out, n, p);
  else
    line::launch<false>(in, filter, out, n, p);
}

void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  const bool narrow = m - q < any_filter::narrow;  // most lanes of the other kernels had no column: 2.1 times as fast
  if (stride > 1 || p != q || narrow || n > most_down * warps * tall)
    return any_filter::launch(in, filter, out, n, m, p, q, stride);
  switch (p) {
    case 3: return slide<3>(in, filter, out, n, m);
    case 5: return slide<5>(in, filter, out, n, m);
    case 7: return slide<7>(in, filter, out, n, m);
    case 9: return slide<9>(in, filter, out, n, m);
    case 11: return slide<11>(in, filter, out, n, m);
    default: return any_filter::launch(in, filter, out, n, m, p, q, stride);
  }
}
