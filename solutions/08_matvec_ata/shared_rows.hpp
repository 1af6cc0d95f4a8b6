#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "messages.hpp"
#include "vectors.hpp"

// For long rows, and for few: all multiprocessors share each row, so that A is read once. A warp has a slice of the
// columns and every `groups`-th row, which it holds in shared memory. It tells the row's relay, a warp of some block,
// its part of the row's element of b. While the relay adds up the parts of all blocks, the warp goes on with the next
// rows. Later it reads the sum, which has arrived meanwhile, and adds the row to its share of c. On an H200, two passes
// took 1.9 times as long at 1000 x 400001.
namespace shared_rows {

using namespace messages;

constexpr int warps = 16;
constexpr int most_stages = 8;
// Batches of rows on their way to shared memory. More of them at the start gained nothing on an H200.
constexpr int ahead = 2;

// The sum of each of some values over a warp: lane i has that of value i % count.
template <int count>
__device__ float sum_of_each(float (&values)[count]) {
  const int lane = threadIdx.x % lanes;
#pragma unroll
  for (int n = count / 2; n > 0; n /= 2)
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const bool upper = lane & n;
      values[i] = (upper ? values[i + n] : values[i]) + from_lane(upper ? values[i] : values[i + n], n);
    }
#pragma unroll
  for (int offset = count; offset < lanes; offset *= 2) values[0] += from_lane(values[0], offset);
  return values[0];
}

// The last warps of a block are relays. Two instead of one took 0.97 times as long at 600 x 20481 on an H200, but 1.02
// times at 1000 x 200001.
template <int width, int parts>
struct block_for {
  static constexpr int relays = width <= 2 && parts == 1 ? 2 : 1, threads = (warps + relays) * lanes;
};

// `parts` warps of a block share the block's columns, each with a slice of them, and take `height` of their rows at a
// time. Of a row, a lane has `width` vectors. In shared memory a row begins up to three floats after a boundary, as in
// memory. The number of groups is a multiple of four, so this shift is the same for all rows of a warp. So a lane's
// vectors have the same columns in all rows, and its part of v and c fits in registers.
template <int width, int height, int parts>
__global__ void __launch_bounds__(block_for<width, parts>::threads, 1)
    products(const float* a, const float* v, float* b, float* c, int rows, int cols, int slice, int places,
             int stages) {
  constexpr int groups = warps / parts, threads = block_for<width, parts>::threads;
  extern __shared__ float4 dynamic[];
  const int lane = threadIdx.x % lanes, warp = kept(threadIdx.x / lanes), pitch = slice / 4 + 1;
  const int size = kept(stages * height * pitch);  // of a warp's rows in shared memory
  const unsigned first_float = reinterpret_cast<std::uintptr_t>(a) / sizeof(float);
  const auto shift_of = [&](int group) { return int((first_float + unsigned(group) * unsigned(cols)) % 4); };

  if (const int group = warp / parts; warp >= warps) {
    constexpr int at_once = 4 * parts + 1;  // enough for 132 blocks, so their loads overlap
    pass_on_sums<groups, at_once>(b, nullptr, rows, places, warp - warps, threads / lanes - warps);
  } else if (const int place = blockIdx.x * parts + warp % parts, begin = place * slice; begin < cols && group < rows) {
    const int mine = min(slice, cols - begin), shift = kept(shift_of(group)), behind = kept(shift + mine);
    const int count = kept(divide_up(rows - group, groups)), batches = divide_up(count, height);
    const int late = stages - ahead;  // batches that wait for their sums
    float4* const ring = dynamic + warp * size + lane;
    // Zeros beside the slice: copies leave them as they are. Each lane has other rows. All lanes for one row after the
    // other took 1.3 us longer for 16 rows on an H200.
#pragma unroll 1
    for (int row = lane; row < stages * height; row += lanes) {
      float4* const at = dynamic + warp * size + row * pitch;
      at[0] = {};
#pragma unroll 1
      for (int i = behind / 4; i < pitch; ++i) at[i] = {};
    }
    __syncwarp();
    float4 factor[width], total[width] = {};
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const unsigned col = 4 * (lane + k * lanes) - shift;
      const float* const from = v + begin + int(col);
      factor[k] = {col < mine ? from[0] : 0, col + 1 < mine ? from[1] : 0, col + 2 < mine ? from[2] : 0,
                   col + 3 < mine ? from[3] : 0};
    }

    // Lanes 0 to 3 copy floats of a row's first vector one by one, lanes 4 to 7 those of its last, if it is not whole.
    const int least = shift > 0, most = behind / 4, single = lane < 4 ? lane : lane - 4 + 4 * most;
    const bool has_single = single < behind && (lane < 4 ? least > 0 && single >= shift : lane < 8 && most >= least);
    const int to_single = single - 4 * lane;
    const unsigned number = first_number() + group;
    const float4* next = reinterpret_cast<const float4*>(a + std::int64_t(group) * cols + begin - shift) + lane;
    const std::int64_t step = std::int64_t(groups / 4) * cols;
    message* const own_parts = parts_of_rows + group * slots * places + place;
    int here = 0, there = 0, fetched = 1;  // the batches that arrive, and those that leave for the next to come
#pragma unroll 1
    for (int batch = -ahead; batch < batches + late; ++batch) {
      const unsigned own = batch * height + lane, before = own - late * height;  // among the group's rows
      const bool expects = lane < height && batch >= late && before < count;
      const message* const from = &sums_of_rows[group * slots + before % slots];
      message sum = expects ? peek(from) : 0;  // as early as possible
      if (batch >= 0 && batch < batches) {
        __pipeline_wait_prior(ahead - 1);
        __syncwarp();
        float part[height] = {};
        const float4* const at = ring + here;
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (lane + k * lanes < pitch)
#pragma unroll
            for (int r = 0; r < height; ++r) part[r] += dot(at[r * pitch + k * lanes], factor[k]);
        const float value = sum_of_each(part);
        if (lane < height && own < count) tell(own_parts + own % slots * places, value, number + own * groups);
        here += height * pitch;
        here = here < size ? here : 0;
      }
      float4* const at = ring + there;
      if (batch >= late) {
        while (expects && !is_of(sum, number + before * groups)) let_others_run(), sum = peek(from);
        __syncwarp();
        float product[height];
#pragma unroll
        for (int r = 0; r < height; ++r) product[r] = __shfl_sync(0xffffffff, value_of(sum), r);
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (lane + k * lanes < pitch)
#pragma unroll
            for (int r = 0; r < height; ++r) total[k] = sum_of_product(total[k], at[r * pitch + k * lanes], product[r]);
        __syncwarp();
      }
      // Once a place has had a row, it keeps that one where no row is left: its product is 0. Copies of the last row
      // took 1.03 times as long at 480 x 19001 on an H200.
      if (const int coming = batch + ahead; coming < batches)
#pragma unroll
        for (int r = 0; r < height; ++r) {
          if (coming < stages || fetched <= count) {
#pragma unroll
            for (int k = 0; k < width; ++k)
              if (lane + k * lanes >= least && lane + k * lanes < most)
                __pipeline_memcpy_async(at + r * pitch + k * lanes, next + k * lanes, sizeof(float4));
            if (has_single)
              __pipeline_memcpy_async(reinterpret_cast<float*>(at + r * pitch) + to_single,
                                      reinterpret_cast<const float*>(next) + to_single, sizeof(float));
          }
          if (fetched < count) next += step;
          ++fetched;
        }
      there += height * pitch;
      there = there < size ? there : 0;
      __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (lane + k * lanes < pitch) ring[k * lanes] = total[k];
  }
  __syncthreads();
  // Block 0 has had the sums of all rows, so all others know the numbers.
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&rows_before, message(rows));
#pragma unroll 1
  for (int i = threadIdx.x; i < parts * slice; i += threads) {
    const int part = parts == 1 ? 0 : i / slice, col = blockIdx.x * parts * slice + i;
    if (col >= cols) break;
    const float* const from = reinterpret_cast<const float*>(dynamic + part * size) + i - part * slice;
    float sum = 0;
#pragma unroll 4
    for (int g = 0; g < min(groups, rows); ++g) sum += from[g * parts * size * 4 + shift_of(g)];
    c[col] = sum;
  }
}

// Whether c is complete.
template <int width, int height, int parts>
bool launch_shape(const problem& x, int slice) {
  constexpr auto kernel = products<width, height, parts>;
  int device = 0, most_bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const int bytes = warps * height * (slice / 4 + 1) * int(sizeof(float4)), needed = 3;
  const int batches = divide_up(x.rows, warps / parts * height);
  int stages = std::min({most_bytes / bytes, most_stages, std::max(batches, needed)});
  if (stages < needed ||
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, stages * bytes) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  problem now = x;
  int places = divide_up(x.cols, slice);
  void* arguments[] = {&now.a, &now.v, &now.b, &now.c, &now.rows, &now.cols, &slice, &places, &stages};
  return cudaLaunchCooperativeKernel(kernel, divide_up(x.cols, slice * parts), block_for<width, parts>::threads,
                                     arguments, std::size_t(stages * bytes)) == cudaSuccess;
}

// The fewest warps for a row that have registers for its columns. A slice is in whole sectors: without that,
// 1000 x 200001 took 1.11 times as long on an H200. Several rows at a time save instructions, but fewer of them fit
// into shared memory, and few rows do not fill them. One at a time took 0.93 times as long at 10 x 20001, and 1.09
// times at 128 x 30001. Four instead of two took 0.96 times as long at 1000 x 36001. If many rows begin anywhere, half
// sectors do for short slices: with whole ones, which 129 blocks have instead of 132, 800 x 20481 took 1.03 times as
// long. With half ones, 64 x 20481 took 1.1 times as long.
inline bool launch(const problem& x) {
  constexpr int sector = 8;
  const int blocks = std::min(multiprocessors(), most_blocks);
  const int unit = x.cols % sector == 0 || x.rows <= 3 * blocks ? sector : sector / 2;
  const bool few = x.rows <= 2 * warps;
  const auto slice = [&](int parts) { return divide_up(x.cols, blocks * parts * sector) * sector; };
  const auto fits = [&](int width, int parts) { return slice(parts) < width * lanes * 4; };
  if (fits(2, 1) && few) return launch_shape<2, 1, 1>(x, slice(1));
  if (fits(2, 1)) return launch_shape<2, 4, 1>(x, divide_up(x.cols, blocks * unit) * unit);
  if (fits(3, 1)) return (!few && launch_shape<3, 4, 1>(x, slice(1))) || launch_shape<3, 2, 1>(x, slice(1));
  if (fits(4, 1)) return few ? launch_shape<4, 1, 1>(x, slice(1)) : launch_shape<4, 2, 1>(x, slice(1));
  if (fits(3, 2)) return launch_shape<3, 2, 2>(x, slice(2));
  if (fits(4, 2)) return launch_shape<4, 1, 2>(x, slice(2));
  if (fits(3, 4)) return launch_shape<3, 2, 4>(x, slice(4));
  if (fits(4, 4)) return launch_shape<4, 2, 4>(x, slice(4));
  if (fits(6, 4)) return launch_shape<6, 1, 4>(x, slice(4));
  return fits(8, 4) && launch_shape<8, 1, 4>(x, slice(4));
}

}  // namespace shared_rows
