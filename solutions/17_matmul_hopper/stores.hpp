#pragma once

#include "ring.hpp"

// How sums come from registers to c.
namespace ring_kernel {

template <class T>
__device__ __forceinline__ void put(T* to, T sums, bool adds) {
  if (adds)
    atomicAdd(to, sums);
  else
    __stcs(to, sums);
}

// Stores 64 rows of sums, or adds them to c. A thread has pairs of neighbours; it swaps every other pair with the
// thread beside it, so that both have four.
template <int count>
__device__ void store_vectors(const float (&sums)[count], const problem& s, int first_row, int first_col, bool adds) {
  const int lane = threadIdx.x % 32, odd = lane % 2;
  const int row = first_row + threadIdx.x % group / 32 * 16 + lane / 4;
#pragma unroll
  for (int i = 0; i < count; i += 8)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float *left = &sums[i + 2 * half], *right = left + 4;
      const float2 mine = odd ? float2{right[0], right[1]} : float2{left[0], left[1]};
      const float2 given = odd ? float2{left[0], left[1]} : float2{right[0], right[1]};
      const float2 got{__shfl_xor_sync(~0u, given.x, 1), __shfl_xor_sync(~0u, given.y, 1)};
      const float4 four = odd ? float4{got.x, got.y, mine.x, mine.y} : float4{mine.x, mine.y, got.x, got.y};
      const int y = row + 8 * half, x = first_col + (i / 4 + odd) * 8 + lane % 4 / 2 * 4;
      if (y < s.n && x < s.p) put(reinterpret_cast<float4*>(&s.c[size_t(y) * s.p + x]), four, adds);
    }
}

// The same where rows are no whole vectors. Each warp brings 32 columns at a time to shared memory, and from there
// whole rows: stores of single pairs would write each sector of c in pieces.
template <int count>
__device__ void store_rows(const float (&sums)[count], strip& through, const problem& s, int first_row, int first_col,
                           bool adds) {
  const int lane = threadIdx.x % 32, row = first_row + threadIdx.x % group / 32 * 16;
  float* const to = s.c + size_t(row) * s.p + first_col + lane;
#pragma unroll
  for (int i = 0; i < count; i += 16) {
#pragma unroll
    for (int j = 0; j < 16; ++j) through[lane / 4 + j / 2 % 2 * 8][j / 4 * 8 + lane % 4 * 2 + j % 2] = sums[i + j];
    __syncwarp();
    const int col = i * 2;
    if (first_col + col + lane < s.p)
#pragma unroll 4
      for (int r = 0; r < min(16, s.n - row); ++r) put(to + size_t(r) * s.p + col, through[r][lane], adds);
    __syncwarp();
  }
}

// Where a block keeps its sums for the others of its cluster: in place of the tiles, all of which are multiplied.
template <class Form>
__device__ auto& kept_sums(ring<Form>& shared) {
  using rows = float[Form::rows][Form::cols + 4];
  static_assert(sizeof(rows) <= sizeof(shared.stage));
  return *reinterpret_cast<rows*>(&shared.stage);
}
template <class Form, int count>
__device__ void keep(ring<Form>& shared, const float (&sums)[count], int role) {
  if constexpr (Form::sums <= 64) {
    shared.done.arrive();
    shared.done.wait(0);  // all have multiplied
    const int lane = threadIdx.x % 32, row = role * 64 + threadIdx.x % group / 32 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < count; i += 2)
      *reinterpret_cast<float2*>(&kept_sums(shared)[row + i / 2 % 2 * 8][i / 4 * 8 + lane % 4 * 2]) = {sums[i],
                                                                                                       sums[i + 1]};
  }
}

// Blocks that share the steps of a tile: each adds up all blocks' sums of its part of the rows.
template <class Form>
__device__ void finish(ring<Form>& shared, const problem& s) {
  const int rank = blockIdx.x % s.team, height = Form::rows / s.team, fours = Form::cols / 4;
  auto [row, col] = s.all.corner_of(blockIdx.x / s.team, Form::rows, Form::cols);
  for (int i = threadIdx.x; i < height * fours; i += Form::threads) {
    const int r = rank * height + i / fours, x = i % fours * 4;
    float4 sum{};
#pragma unroll 8
    for (int block = 0; block < s.team; ++block) {
      const float4 more = *reinterpret_cast<const float4*>(in_block(&kept_sums(shared)[r][x], block));
      sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
    }
    if (row + r >= s.n) continue;
    float* to = s.c + size_t(row + r) * s.p + col + x;
    if (s.vectors) {
      if (col + x < s.p) *reinterpret_cast<float4*>(to) = sum;
    } else {
      for (int j = 0; j < 4; ++j)
        if (col + x + j < s.p) to[j] = (&sum.x)[j];
    }
  }
}

}  // namespace ring_kernel
