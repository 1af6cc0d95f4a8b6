#pragma once

#include <cuda_runtime.h>

#include <type_traits>

// Brings the sums of tensor cores to c. A warp has 16 rows; lane 4 g + t has for each eight columns j the elements
// sums[4 j] to sums[4 j + 3]: columns 8 j + 2 t and 8 j + 2 t + 1 of row g, then of row g + 8.
namespace stores {

struct result {
  float* c;
  int n, p;
  bool vectors;  // its rows are whole vectors
};

// Eight rows of 32 sums on their way from a warp's registers to c. With eight columns more, neither a warp's stores nor
// its loads meet in a bank.
struct alignas(16) strip {
  float rows[8][32 + 8];
};

// Plain stores: stores that leave L2 first took 1.15 times as long at 2845 x 96 x 7576 on an H200, where rows begin
// within lines, and 0.98 times at 16384 x 64 x 16384.
template <bool adds, class T>
__device__ void put(T* to, T sums) {
  if constexpr (adds)
    atomicAdd(to, sums);
  else
    *to = sums;
}

// Calls store(std::bool_constant<adds>{}): each of the two has its own code, without a branch at each vector. That is
// 1.14 times as fast at 2000 x 128 x 3200 on an H200, and 1.11 times at 1281 x 72 x 9440.
template <class F>
__device__ void by_kind(bool adds, const F& store) {
  if (adds)
    store(std::true_type{});
  else
    store(std::false_type{});
}

// Stores a warp's rows of sums from `row` on, or adds them to c. A lane has pairs of neighbours; it swaps every other
// pair with the lane beside it, so that both have four.
template <bool adds, int count>
__device__ void put_vectors(const float (&sums)[count], const result& to, int row, int col) {
  const int lane = threadIdx.x % 32, odd = lane % 2;
#pragma unroll
  for (int i = 0; i < count; i += 8)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float *left = &sums[i + 2 * half], *right = left + 4;
      const float2 mine = odd ? float2{right[0], right[1]} : float2{left[0], left[1]};
      const float2 given = odd ? float2{left[0], left[1]} : float2{right[0], right[1]};
      const float2 got{__shfl_xor_sync(~0u, given.x, 1), __shfl_xor_sync(~0u, given.y, 1)};
      const float4 four = odd ? float4{got.x, got.y, mine.x, mine.y} : float4{mine.x, mine.y, got.x, got.y};
      const int y = row + lane / 4 + 8 * half, x = col + (i / 4 + odd) * 8 + lane % 4 / 2 * 4;
      if (y < to.n && x < to.p) put<adds>(reinterpret_cast<float4*>(&to.c[size_t(y) * to.p + x]), four);
    }
}

// Brings eight of a warp's 16 rows, and of these 32 columns, from sum `first` of each lane on, to shared memory.
template <int count>
__device__ void gather(strip& through, const float (&sums)[count], int first, int half) {
  const int lane = threadIdx.x % 32;
  __syncwarp();  // what was there before has been read
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (const int i = first + 4 * j + 2 * half; i < count)
      *reinterpret_cast<float2*>(&through.rows[lane / 4][j * 8 + lane % 4 * 2]) = {sums[i], sums[i + 1]};
  __syncwarp();
}

// The same through shared memory, so that a warp stores 128 bytes of a row at once: 1.07 times as fast at 4096 x 256 x
// 4096 on an H200. A block's only tile takes 1.02 times as long.
template <int count>
__device__ void put_lines(const float (&sums)[count], strip& through, const result& to, int row, int col) {
  const int lane = threadIdx.x % 32, y = lane / 8, x = lane % 8 * 4;
#pragma unroll
  for (int i = 0; i < count; i += 16)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      gather(through, sums, i, half);
#pragma unroll
      for (int r = 0; r < 8; r += 4) {
        const int to_row = row + 8 * half + r + y, to_col = col + 2 * i + x;
        if (to_row < to.n && to_col < to.p && 2 * i + x < 2 * count)
          put<false>(reinterpret_cast<float4*>(&to.c[size_t(to_row) * to.p + to_col]),
                     *reinterpret_cast<const float4*>(&through.rows[r + y][x]));
      }
    }
}

// The same where rows are no whole vectors: stores of single pairs would write each sector of c in pieces.
template <bool adds, int count>
__device__ void put_rows(const float (&sums)[count], strip& through, const result& to, int row, int col) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < count; i += 16)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      gather(through, sums, i, half);
      float* const first = to.c + size_t(row + 8 * half) * to.p + col + 2 * i + lane;
      if (col + 2 * i + lane < to.p)
#pragma unroll 4
        for (int r = 0; r < min(8, to.n - row - 8 * half); ++r)
          put<adds>(first + size_t(r) * to.p, through.rows[r][lane]);
    }
}

// Where the columns are no multiple of 32, rows of c must be whole vectors. `lines`: 128 bytes at once. A kernel has
// one of the two ways only: with the code of both, a block's only tile took 1.03 times as long.
template <bool lines, int count>
__device__ void put(const float (&sums)[count], strip& through, const result& to, int row, int col, bool adds) {
  by_kind(adds, [&](auto kind) {
    if constexpr (count % 16 == 0)
      if (!to.vectors) return put_rows<kind>(sums, through, to, row, col);
    if constexpr (lines && !decltype(kind)::value)
      put_lines(sums, through, to, row, col);
    else
      put_vectors<kind>(sums, to, row, col);
  });
}

// Eight rows of 16 sums on their way. With four columns more, neither a warp's stores nor its loads meet in a bank.
struct alignas(16) turned_strip {
  float rows[8][16 + 4];
};

// Stores or adds 16 columns of sums from (row, col) on, of which the tensor cores have the transpose. Lane 4 g + t has
// for each eight rows j four elements from sums[4 j] on: rows 8 j + 2 t and 8 j + 2 t + 1 of column g, then the same of
// column g + 8. Through shared memory each gets four neighbours of one row. Swaps between four lanes take more
// instructions: 1.08 times as long at 1536 x 1536 x 1536 on an H200, 1.07 at 5000 x 1000 x 1000.
template <bool adds, int count>
__device__ void put_turned(const float (&sums)[count], turned_strip& through, const result& to, int row, int col) {
  const int lane = threadIdx.x % 32, y = lane / 4, x = lane % 4 * 4;
  float* const first = to.c + size_t(row + y) * to.p + col + x;
#pragma unroll
  for (int i = 0; i < count; i += 4) {
#pragma unroll
    for (int j = 0; j < 4; ++j) through.rows[lane % 4 * 2 + j % 2][lane / 4 + j / 2 * 8] = sums[i + j];
    __syncwarp();
    const float4 four = *reinterpret_cast<const float4*>(&through.rows[y][x]);
    if (row + y + 2 * i < to.n && col + x < to.p)
      put<adds>(reinterpret_cast<float4*>(first + size_t(2 * i) * to.p), four);
    __syncwarp();
  }
}

}  // namespace stores
