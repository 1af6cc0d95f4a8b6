#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "../device/hopper.hpp"
#include "long_rows.hpp"
#include "messages.hpp"
#include "vectors.hpp"

// For rows that shared_rows.hpp cannot take: there, each group of warps needs registers for all its block's columns.
// Here all warps of a block share each row. Each has a slice of the columns, whose part of v and c its registers hold,
// and the rows' slices pass through its own shared memory. So 2.4 million columns fit, on an H200. Of even longer rows,
// the first columns are read once so, and the others in two passes. Two passes for all took 1.9 times as long at 1000 x
// 1000001 on an H200, and 1.2 times at 300 x 6000001.
namespace longest_rows {

using namespace messages;

// Twice as many warps with half as wide slices took as long at 1000 x 1000001 on an H200.
constexpr int warps = 8, most_stages = 16;

// Three warps more do nothing but wait for messages. Where all warps of 132 blocks read the sums themselves, and so the
// same word, 1000 x 1000001 took 1.36 times as long on an H200.
enum helper { relay = warps, speaker, listener, all_warps };
constexpr int threads = all_warps * lanes;

// What warps of a block tell each other. Since a row's number comes along, no barrier is needed.
constexpr int window = 32;  // rows whose messages are on their way: more than a block's stages
struct inside {
  message parts[window][warps], sums[window];
};

__device__ inline void tell_inside(message* to, float value, unsigned row) {
  const message sent = message{row} << 32 | __float_as_uint(value);
  asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(hopper::shared_address(to)), "l"(sent) : "memory");
}
__device__ inline message peek_inside(const message* from) {
  message found;
  asm volatile("ld.relaxed.cta.shared.u64 %0, [%1];" : "=l"(found) : "r"(hopper::shared_address(from)) : "memory");
  return found;
}

// The copies of a warp's slices to its stages. On Hopper the copy engine fetches a slice for one instruction: lanes
// that copied vectors took 1.3 times as long at 1000 x 1000001 on an H200. It fetches whole vectors, so up to three
// floats more on either side; no lane reads those.
template <int ahead>
struct copies {
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
  hopper::barrier arrived[most_stages];

  __device__ void prepare(int lane) {
    if (lane < most_stages) arrived[lane].init(1);
    hopper::publish_barriers();
    __syncwarp();
  }
  __device__ void fetch(float* stage, int number, const float* slice, int shift, int cols, int lane) {
    if (lane > 0) return;
    const unsigned bytes = divide_up(shift + cols, 4) * sizeof(float4);
    hopper::finish_reads();
    arrived[number].arrive_expecting(bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     hopper::shared_address(stage)),
                 "l"(slice - shift), "r"(bytes), "r"(hopper::shared_address(&arrived[number]))
                 : "memory");
  }
  __device__ void nothing_more() {}
  __device__ void wait(int number, unsigned round) { arrived[number].wait(round % 2); }
#else
  __device__ void prepare(int) {}
  __device__ void fetch(float* stage, int, const float* slice, int shift, int cols, int lane) {
    copy_floats<lanes>(stage + shift, slice, min((4 - shift) % 4, cols), cols, lane);
    __pipeline_commit();
  }
  __device__ void nothing_more() { __pipeline_commit(); }  // `wait` counts turns
  __device__ void wait(int, unsigned) {
    __pipeline_wait_prior(ahead - 1);
    __syncwarp();
  }
#endif
};

// Adds up the parts of the block's warps, in the same order each time.
__device__ inline void speak_for_block(inside& here, int busy, int rows) {
  const int lane = threadIdx.x % lanes;
  const unsigned number = first_number();
#pragma unroll 1
  for (unsigned row = 0; row < rows; ++row) {
    const message* const from = &here.parts[row % window][lane % warps];
    message part = message{number + row} << 32;
    if (lane < busy)
      while (!is_of(part = peek_inside(from), number + row)) let_others_run();
    __syncwarp();
    const float sum = sum_of_team(value_of(part));
    if (lane == 0) tell(&parts_of_rows[row % slots * gridDim.x + blockIdx.x], sum, number + row);
  }
}

// Each lane listens for other rows.
__device__ inline void listen_for_block(inside& here, int rows) {
  const unsigned number = first_number();
#pragma unroll 1
  for (unsigned row = threadIdx.x % lanes; row < rows;) {
    const message sum = peek(&sums_of_rows[row % slots]);
    if (is_of(sum, number + row))
      tell_inside(&here.sums[row % window], value_of(sum), number + row), row += lanes;
    else
      let_others_run();
  }
}

// Rows of `cols` columns, `pitch` apart. A slice begins at a boundary or up to three floats after one, as the row does.
// Each lane reads single floats, so it has the same columns in all rows. `ahead` rows are on their way to their stages.
template <int width, int ahead>
__global__ void __launch_bounds__(threads, 1)
    products(const float* a, const float* v, float* b, float* c, int rows, int cols, int pitch, int slice, int stages,
             const float* beside) {
  extern __shared__ float4 dynamic[];
  __shared__ inside here;
  __shared__ copies<ahead> all_copies[warps];
  const int lane = threadIdx.x % lanes, warp = kept(threadIdx.x / lanes), first_col = blockIdx.x * warps * slice;
  const int busy = min(warps, divide_up(cols - first_col, slice));
  for (int i = threadIdx.x; i < int(sizeof here / sizeof(message)); i += threads) (&here.parts[0][0])[i] = 0;
  __syncthreads();
  if (warp == relay) {
    pass_on_sums<1, 5>(b, beside, rows, gridDim.x);  // loads for 132 blocks overlap
  } else if (warp == speaker) {
    speak_for_block(here, busy, rows);
  } else if (warp == listener) {
    listen_for_block(here, rows);
  } else if (warp < busy) {
    const int begin = first_col + warp * slice, mine = kept(min(slice, cols - begin)), late = stages - ahead;
    const int size = slice + 4;
    const unsigned number = first_number(), first_float = reinterpret_cast<std::uintptr_t>(a) / sizeof(float);
    const auto shift_of = [&](int row) { return int((first_float + unsigned(row) * unsigned(pitch)) % 4); };
    float* const ring = reinterpret_cast<float*>(dynamic) + warp * stages * size;
    const float* next = a + begin;
    float factor[width], total[width] = {};
#pragma unroll
    for (int k = 0; k < width; ++k) factor[k] = lane + k * lanes < mine ? v[begin + lane + k * lanes] : 0;
    copies<ahead>& copy = all_copies[warp];
    copy.prepare(lane);
    int now = 0, last = 0;  // the stage of the row that arrives, and of the row that is added to c
    unsigned round = 0;
#pragma unroll 1
    for (int row = -ahead; row < rows + late; ++row) {
      // Beyond the slice, lanes read its last column again, times 0.
      if (row >= 0 && row < rows) {
        copy.wait(now, round);
        const float* const at = ring + now * size + shift_of(row);
        float part[2] = {};  // so sums overlap
#pragma unroll
        for (int k = 0; k < width; ++k) part[k % 2] += at[min(lane + k * lanes, mine - 1)] * factor[k];
        const float sum = sum_of_team(part[0] + part[1]);
        if (lane == 0) tell_inside(&here.parts[row % window][warp], sum, number + row);
        if (++now == stages) now = 0, ++round;
      }
      float* const stage = ring + last * size;
      if (const int before = row - late; before >= 0) {
        message sum;
        while (!is_of(sum = peek_inside(&here.sums[before % window]), number + before)) let_others_run();
        const float* const at = stage + shift_of(before);
#pragma unroll
        for (int k = 0; k < width; ++k) total[k] += at[min(lane + k * lanes, mine - 1)] * value_of(sum);
        __syncwarp();
      }
      if (const int after = row + ahead; after < rows) {
        copy.fetch(stage, last, next, shift_of(after), mine, lane);
        next += pitch;
      } else {
        copy.nothing_more();
      }
      last = last + 1 < stages ? last + 1 : 0;
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (lane + k * lanes < mine) c[begin + lane + k * lanes] = total[k];
  }
  __syncthreads();
  // Block 0 has had the sums of all rows, so all others know the numbers.
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&rows_before, message(rows));
}

// Whole sectors.
inline int slice_for(int cols) {
  constexpr int sector = 8;
  return divide_up(cols, std::min(multiprocessors(), most_blocks) * warps * sector) * sector;
}
inline int bytes_of_row(const problem& x) { return warps * (slice_for(x.cols) + 4) * int(sizeof(float)); }

// How many rows a block's shared memory has room for, or 0 if those are too few.
template <int width, int ahead>
int stages_for(const problem& x) {
  int device = 0, most_bytes = 0;
  cudaFuncAttributes compiled{};
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (cudaFuncGetAttributes(&compiled, products<width, ahead>) != cudaSuccess) return cudaGetLastError(), 0;
  const int room = (most_bytes - int(compiled.sharedSizeBytes)) / bytes_of_row(x);
  const int stages = std::min({room, most_stages, std::max(x.rows, ahead + 1)});
  return stages > ahead ? stages : 0;
}

// Whether c is complete.
template <int width, int ahead>
bool launch_shape(const problem& x, int pitch, const float* beside) {
  constexpr auto kernel = products<width, ahead>;
  int slice = slice_for(x.cols), stages = stages_for<width, ahead>(x);
  const int bytes = stages * bytes_of_row(x);
  if (stages == 0 || cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  problem now = x;
  void* arguments[] = {&now.a, &now.v, &now.b, &now.c, &now.rows, &now.cols, &pitch, &slice, &stages, &beside};
  return cudaLaunchCooperativeKernel(kernel, divide_up(x.cols, slice * warps), threads, arguments,
                                     std::size_t(bytes)) == cudaSuccess;
}

// The fewest registers that suffice. Of the longest rows, an H200's shared memory has room for two or three.
inline bool launch_whole(const problem& x) {
  const int slice = slice_for(x.cols);
  if (slice <= 19 * lanes) return launch_shape<19, 4>(x, x.cols, nullptr);
  if (slice <= 31 * lanes) return launch_shape<31, 2>(x, x.cols, nullptr);
  if (slice <= 48 * lanes) return launch_shape<48, 2>(x, x.cols, nullptr);
  if (slice <= 60 * lanes) return launch_shape<60, 1>(x, x.cols, nullptr);
  return launch_shape<72, 1>(x, x.cols, nullptr);
}

// Whether c is complete. For few even longer rows, the launches more take longer than the second pass over the first
// columns.
inline bool launch(const problem& x) {
  constexpr int few = 5, width = 72, ahead = 1;
  const int most = std::min(multiprocessors(), most_blocks) * warps * width * lanes;
  if (x.cols <= most) return launch_whole(x);
  problem first = x, others = x;
  first.cols = most;
  others.cols -= most, others.a += most, others.v += most, others.c += most;
  if (x.rows <= few || stages_for<width, ahead>(first) == 0) return false;
  long_rows::first_pass<8, 4>(others, x.cols);
  if (!launch_shape<width, ahead>(first, x.cols, x.b)) return false;
  long_rows::second_pass<8>(others, x.cols);
  return true;
}

}  // namespace longest_rows
