#pragma once

#include <cstdint>

#include "vectors.hpp"

// How blocks that share rows tell each other their parts of the rows' elements of b, without a barrier. A warp of some
// block, the row's relay, adds up the parts of all blocks and tells the sum.
namespace messages {

constexpr int most_blocks = 192, most_warps = 16;
constexpr int slots = 64;  // for a group's messages on their way: more than all rows of its stages

// A value, and in the upper half its row's number, which is another in each call. So a reader sees whether the value is
// there: no counter is needed, and nothing has to be cleared.
using message = unsigned long long;
__device__ message parts_of_rows[slots * most_warps * most_blocks], sums_of_rows[slots * most_warps];
__device__ message rows_before;  // of all calls

// Relaxed: a message needs no order with other accesses.
__device__ inline void tell(message* to, float value, unsigned row) {
  const message sent = message{row} << 32 | __float_as_uint(value);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(sent) : "memory");
}
__device__ inline message peek(const message* from) {
  message found;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(from) : "memory");
  return found;
}
__device__ inline bool is_of(message m, unsigned row) { return unsigned(m >> 32) == row; }
__device__ inline float value_of(message m) { return __uint_as_float(unsigned(m)); }

// In each turn of a loop that waits for messages. The simulator runs many blocks in one thread.
__device__ inline void let_others_run() {
#ifndef __CUDA_ARCH_LIST__
  __nanosleep(1);
#endif
}

// Memory begins with zeros, so no row has the number 0 before the numbers begin again.
__device__ inline unsigned first_number() { return unsigned(peek(&rows_before)) + 1; }

// The same number in all lanes. It comes from a shuffle, so the compiler keeps it in a register. Without that, it
// computed many such numbers again for each row.
__device__ inline int kept(int value) { return __shfl_sync(0xffffffff, value, 0); }

// The block's relay number `relay`, one of `relays`, is the one of rows i, i + step ..., where the step is as many as
// all blocks have. It always adds up the parts in the same order. A row's number modulo `groups` is that of its group.
// At `beside` are the rows' parts of other columns, if it is not null.
template <int groups, int at_once>
__device__ void pass_on_sums(float* b, const float* beside, int rows, int places, int relay = 0, int relays = 1) {
  const int lane = threadIdx.x % lanes;
  const unsigned number = first_number();
#pragma unroll 1
  for (unsigned row = blockIdx.x + relay * gridDim.x; row < rows; row += relays * gridDim.x) {
    const unsigned slot = row % groups * slots + row / groups % slots;
    const message* const from = parts_of_rows + slot * places;
    float sum = 0;
#pragma unroll 1
    for (int first = lane; first < places; first += at_once * lanes) {
      message read[at_once];
      bool complete;
      do {
        complete = true;
#pragma unroll
        for (int i = 0; i < at_once; ++i)
          read[i] = first + i * lanes < places ? peek(from + first + i * lanes) : message{number + row} << 32;
#pragma unroll
        for (int i = 0; i < at_once; ++i) complete = complete && is_of(read[i], number + row);
        if (!complete) let_others_run();
      } while (!complete);
#pragma unroll
      for (int i = 0; i < at_once; ++i) sum += value_of(read[i]);
    }
    sum = sum_of_team(sum);
    if (lane > 0) continue;
    if (beside) sum += beside[row];
    tell(&sums_of_rows[slot], sum, number + row), b[row] = sum;
  }
}

}  // namespace messages
