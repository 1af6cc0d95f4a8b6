#pragma once

#include <algorithm>
#include <cstdint>

#include "../device/product_parts.hpp"
#include "any_address.hpp"
#include "stores.hpp"

// Products of one long matrix and one small one: the long one goes from memory straight into the registers where the
// tensor cores want it, because neither the order of the steps nor that of the columns matters to them. Each warp
// computes its tiles alone, and fetches the next tile before it multiplies. The small matrix is in shared memory.
// Beside tiles in shared memory 1.7 times as fast at 200000 x 32 x 32 on an H200, 1.25 times at 36 x 40 x 250000.
namespace streamed {

using any_address::eight;
using any_address::matrix;
using few_tiles::shape;

constexpr int side = 16, most = 64;   // of the tensor cores' tiles; steps, and rows or columns of the small matrix
constexpr int warps = 4, lanes = 32;  // of a block
constexpr int wide_cols = 32;         // of a warp's tile
constexpr int padding = 8;            // elements: eight rows are in different banks

__host__ __device__ constexpr int whole(int extent) { return (extent + side - 1) / side * side; }

// sums += a b for 16 x 16 elements of a and 16 x 8 of b. Lane 4 g + t has rows g and g + 8 and columns 2 t and 2 t + 1.
__device__ void multiply(float* sums, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// Four blocks of 8 x 8 elements from shared memory; lane i has the address of row i % 8 of block i / 8.
template <bool turned>
__device__ uint4 load_blocks(const unsigned short* row) {
  const unsigned at = unsigned(__cvta_generic_to_shared(row));
  uint4 to;
  if constexpr (turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)
                 : "r"(at));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)
                 : "r"(at));
  return to;
}

// A lane's eight steps of a row, on their way.
template <bool vectors>
struct part_of_row {
  eight any;
  uint4 vector;

  __device__ void load(const matrix& from, int row, int col) {
    if constexpr (vectors)
      vector = row < from.height && col < from.width
                   ? __ldcs(reinterpret_cast<const uint4*>(from.data + size_t(row) * from.width + col))
                   : uint4{};
    else
      any.load(from, row, col);
  }
  __device__ uint4 elements() const {
    if constexpr (vectors)
      return vector;
    else
      return any.elements();
  }
};

// Brings the small matrix to shared memory, zeros beyond its edges.
template <int rows, int cols, class F>
__device__ void keep(const matrix& from, const F& place) {
#pragma unroll
  for (int i = threadIdx.x; i < rows * cols / 8; i += warps * lanes) {
    const int row = i / (cols / 8), col = i % (cols / 8) * 8;
    eight one;
    one.load(from, row, col);
    *reinterpret_cast<uint4*>(place(row, col)) = one.elements();
  }
}

// Lane t of four has the steps 8 t to 8 t + 7 of 32 as its registers; the tensor cores take them as their steps 2 t,
// 2 t + 1, 2 t + 8 and 2 t + 9 of one product and of the next. So b's row k goes to this row of shared memory.
__device__ inline int place_of(int k) { return k / 32 * 32 + k % 8 / 4 * 16 + k % 4 / 2 * 8 + k % 32 / 8 * 2 + k % 2; }

// Where rows of c are no whole vectors: 16 whole rows are one piece of memory.
template <int count>
__device__ void put_piece(const float (&sums)[count], float* through, float* c, const shape& s, int first_row) {
  const int lane = threadIdx.x % lanes, rows = min(side, s.n - first_row), all = rows * s.p;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int y = lane / 4 + i % 4 / 2 * 8, x = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (x < s.p) through[y * s.p + x] = sums[i];
  }
  __syncwarp();
  float* const to = c + size_t(first_row) * s.p;
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
#pragma unroll 4
    for (int i = lane; i < all / 4; i += lanes)
      reinterpret_cast<float4*>(to)[i] = reinterpret_cast<const float4*>(through)[i];
    for (int i = all / 4 * 4 + lane; i < all; i += lanes) to[i] = through[i];
  } else {
    for (int i = lane; i < all; i += lanes) to[i] = through[i];
  }
  __syncwarp();
}

// c = a b with many rows: a warp's tile has 16 rows and all columns, 16 * pairs.
template <int pairs, int quads, bool vectors>
__global__ void __launch_bounds__(warps* lanes, pairs* quads <= 2    ? 6
                                                : pairs * quads <= 4 ? 5
                                                                     : 4)
    tall_kernel(matrix a, matrix b, float* __restrict__ c, shape s, bool fours) {
  constexpr int cols = pairs * side;
  __shared__ __align__(16) unsigned short small[quads * 32][cols + padding];
  __shared__ __align__(16) float strips[warps][side * cols];
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, step = gridDim.x * warps * side;
  int row = (blockIdx.x * warps + warp) * side;
  part_of_row<vectors> next[quads][2];
  const auto fetch = [&](int from) {
#pragma unroll
    for (int q = 0; q < quads; ++q)
#pragma unroll
      for (int half = 0; half < 2; ++half) next[q][half].load(a, from + lane / 4 + 8 * half, q * 32 + lane % 4 * 8);
  };
  fetch(row);
  keep<quads * 32, cols>(b, [&](int k, int x) { return &small[place_of(k)][x]; });
  __syncthreads();
  for (; row < s.n; row += step) {
    uint4 left[quads][2];
#pragma unroll
    for (int q = 0; q < quads; ++q) left[q][0] = next[q][0].elements(), left[q][1] = next[q][1].elements();
    if (row + step < s.n) fetch(row + step);
    float sums[8 * pairs] = {};
#pragma unroll
    for (int q = 0; q < quads; ++q)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const uint4 &x = left[q][0], &y = left[q][1];
#pragma unroll
        for (int j = 0; j < pairs; ++j) {
          const uint4 right = load_blocks<true>(&small[q * 32 + h * 16 + lane % 16][j * 16 + lane / 16 * 8]);
          multiply(sums + 8 * j, h ? x.z : x.x, h ? y.z : y.x, h ? x.w : x.y, h ? y.w : y.y, right.x, right.y);
          multiply(sums + 8 * j + 4, h ? x.z : x.x, h ? y.z : y.x, h ? x.w : x.y, h ? y.w : y.y, right.z, right.w);
        }
      }
    if (fours)
      stores::put_vectors<false>(sums, {c, s.n, s.p, fours}, row, 0);
    else
      put_piece(sums, strips[warp], c, s, row);
  }
}

// c = a b with many columns: a warp's tile has 32 columns and all rows, 16 * groups. A lane has four neighbouring
// columns of the steps that the tensor cores want of it; which column of the tile is which of theirs does not matter.
template <int groups, int steps>
__global__ void __launch_bounds__(warps* lanes, groups* steps == 4    ? 6
                                                : groups * steps == 8 ? 5
                                                                      : 4)
    wide_kernel(matrix a, matrix b, float* __restrict__ c, shape s) {
  constexpr int depth = steps * side;
  __shared__ __align__(16) unsigned short small[groups * side][depth + padding];
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, g = lane / 4, t = lane % 4, odd = lane % 2;
  const int step = gridDim.x * warps * wide_cols;
  int col = (blockIdx.x * warps + warp) * wide_cols;
  uint2 next[steps][4];
  const auto fetch = [&](int from) {
#pragma unroll
    for (int i = 0; i < steps; ++i)
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int k = i * side + 2 * t + r % 2 + r / 2 * 8, x = from + 4 * g;
        next[i][r] =
            k < s.m && x < s.p ? __ldcs(reinterpret_cast<const uint2*>(b.data + size_t(k) * s.p + x)) : uint2{};
      }
  };
  fetch(col);
  keep<groups * side, depth>(a, [&](int y, int k) { return &small[y][k]; });
  __syncthreads();
  for (; col < s.p; col += step) {
    float sums[groups][16] = {};
    unsigned right[steps][4][2];
#pragma unroll
    for (int i = 0; i < steps; ++i) {
      const uint2* of = next[i];
#pragma unroll
      for (int u = 0; u < 2; ++u) {
        right[i][0][u] = __byte_perm(of[2 * u].x, of[2 * u + 1].x, 0x5410);
        right[i][1][u] = __byte_perm(of[2 * u].x, of[2 * u + 1].x, 0x7632);
        right[i][2][u] = __byte_perm(of[2 * u].y, of[2 * u + 1].y, 0x5410);
        right[i][3][u] = __byte_perm(of[2 * u].y, of[2 * u + 1].y, 0x7632);
      }
    }
    if (col + step < s.p) fetch(col + step);
#pragma unroll
    for (int i = 0; i < steps; ++i)
#pragma unroll
      for (int y = 0; y < groups; ++y) {
        const uint4 left = load_blocks<false>(&small[y * side + lane % 16][i * side + lane / 16 * 8]);
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply(&sums[y][4 * j], left.x, left.y, left.z, left.w, right[i][j][0], right[i][j][1]);
      }
      // A lane has eight neighbours of a row. It swaps four of them, so that two lanes store 32 bytes side by side.
#pragma unroll
    for (int y = 0; y < groups; ++y)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float* of = &sums[y][2 * half];
        const float4 low{of[0], of[4], of[8], of[12]}, high{of[1], of[5], of[9], of[13]}, given = odd ? low : high;
        const float4 got{__shfl_xor_sync(~0u, given.x, 1), __shfl_xor_sync(~0u, given.y, 1),
                         __shfl_xor_sync(~0u, given.z, 1), __shfl_xor_sync(~0u, given.w, 1)};
        const int row = y * side + g + 8 * half, x = col + t / 2 * 16 + odd * 4;
        float4* const to = reinterpret_cast<float4*>(c + size_t(row) * s.p + x);
        if (row < s.n && x < s.p) *to = odd ? got : low;
        if (row < s.n && x + 8 < s.p) to[2] = odd ? high : got;
      }
  }
}

// So many blocks that their warps have as many tiles, and each multiprocessor has no more than `each` of them.
inline int blocks_for(int tiles, int each) {
  const int rounds = few_tiles::divided(tiles, warps * each * few_tiles::multiprocessors());
  return few_tiles::divided(tiles, warps * rounds);
}

// The number of pairs, groups and steps is two or four: a kernel for each number costs compile time, and memory's
// bandwidth hides the products with zeros.
using tall_product = void (*)(matrix, matrix, float*, shape, bool);
using wide_product = void (*)(matrix, matrix, float*, shape);

template <int pairs>
tall_product tall_product_for(bool one_quad, bool vectors) {
  if (one_quad) return vectors ? tall_kernel<pairs, 1, true> : tall_kernel<pairs, 1, false>;
  return vectors ? tall_kernel<pairs, 2, true> : tall_kernel<pairs, 2, false>;
}

// `fours`: rows of c are whole vectors.
inline void launch_tall(const matrix& a, const matrix& b, float* c, const shape& s, bool fours) {
  const bool vectors = s.m % 8 == 0 && reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  const auto kernel =
      s.p <= 2 * side ? tall_product_for<2>(s.m <= 32, vectors) : tall_product_for<4>(s.m <= 32, vectors);
  kernel<<<blocks_for(few_tiles::divided(s.n, side), 4), warps * lanes>>>(a, b, c, s, fours);
}

inline void launch_wide(const matrix& a, const matrix& b, float* c, const shape& s) {
  const bool few_rows = s.n <= 2 * side, few_steps = s.m <= 2 * side;
  const wide_product kernel = few_steps ? (few_rows ? wide_kernel<2, 2> : wide_kernel<4, 2>)
                                        : (few_rows ? wide_kernel<2, 4> : wide_kernel<4, 4>);
  kernel<<<blocks_for(few_tiles::divided(s.p, wide_cols), few_steps ? 5 : 4), warps * lanes>>>(a, b, c, s);
}

/// c = a b if a or b is so long that each multiprocessor has a block, and the other small; else false, and nothing
/// happens.
inline bool multiply(const unsigned short* a, const unsigned short* b, float* c, const shape& s) {
  const bool fours = s.p % 4 == 0 && few_tiles::is_aligned(c, 16);
  const int least = (s.m * std::min(s.n, s.p) > 2048 ? 64 : 32) * few_tiles::multiprocessors();
  if (s.m <= (s.n > few_tiles::thin ? 6 : 8) || s.m > most) return false;
  // With few columns the kernels for them begin sooner: 0.6 times as long at 200000 x 12 x 3 on an H200.
  const bool columns = s.p > few_tiles::thin ||
                       (s.p > 1 && s.m > few_tiles::shallow && s.m * s.p > 80 && double(s.n) * s.m * s.p > 650e3);
  if (columns && s.p <= most && s.n >= least) return launch_tall({a, s.n, s.m}, {b, s.m, s.p}, c, s, fours), true;
  if (s.n > 2 && s.n <= most && s.p >= least && fours && few_tiles::is_aligned(b, 8))
    return launch_wide({a, s.n, s.m}, {b, s.m, s.p}, c, s), true;
  return false;
}

}  // namespace streamed
