// Shuffles, votes, matches and reductions of a warp in inline PTX.
// prints: lane 5: up 3, in eights 5, down 7, xor 4, from 9, float 2.5
// prints: ballot 00000ff0, any 1, all 0, active ffffffff, match f0f0f0f0
// prints: sum 496, least -16, or 0000001f
// prints: up by 6: 5 within 0, by 5: 0 within 1, down to lane 6 at most: 5 within 0, in eights 1 within 1
// prints: predicates alone: 1 0, all of one value: ffffffff 1, of many: 00000000 0, both ways 1 0
#include <cstdio>

__device__ unsigned found[16];
__device__ float moved;

__global__ void ask() {
  const unsigned lane = threadIdx.x;
  unsigned r[11];
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0x0, 0xffffffff;" : "=r"(r[0]) : "r"(lane), "r"(2));
  asm volatile("shfl.sync.up.b32 %0, %1, 6, %2, %3;" : "=r"(r[1]) : "r"(lane), "r"(24 << 8), "r"(~0u));
  asm volatile("shfl.sync.down.b32 %0, %1, 2, 31, -1;" : "=r"(r[2]) : "r"(lane));
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r[3]) : "r"(lane), "r"(1));
  asm volatile("shfl.sync.idx.b32 %0, %1, 9, 31, 0xffffffff;" : "=r"(r[4]) : "r"(lane));
  float f = lane * 0.5f;
  asm volatile("shfl.sync.idx.b32 %0, %1, 5, 31, 0xffffffff;" : "=f"(f) : "f"(f));
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, 4; @p setp.lt.u32 p, %1, 12; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(r[5])
               : "r"(lane));
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 7; vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
               : "=r"(r[6])
               : "r"(lane));
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 7; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
               : "=r"(r[7])
               : "r"(lane));
  asm volatile("activemask.b32 %0;" : "=r"(r[8]));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r[9]) : "r"(lane / 4 % 2));
  unsigned sum, all;
  int least;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
  asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(least) : "r"((int)lane - 16));
  asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff; nanosleep.u32 10;" : "=r"(all) : "r"(lane));
  if (lane != 5) return;
  for (int i = 0; i < 10; ++i) found[i] = r[i];
  found[10] = sum, found[11] = least, found[12] = all;
  moved = f;
}

__device__ unsigned lanes[14];

__global__ void ask_bounds() {
  const unsigned lane = threadIdx.x;
  unsigned r[14];
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 6, 0, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 5, 0, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[2]), "=r"(r[3])
               : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0 | p, %2, 2, 6, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[4]), "=r"(r[5])
               : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, 9, 0x181f, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[6]), "=r"(r[7])
               : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 _|p, %2, 1, 31, -1; mov.u32 %0, 0; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[13]), "=r"(r[8])
               : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 _|p, %2, 31, 31, -1; mov.u32 %0, 0; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[13]), "=r"(r[9])
               : "r"(lane));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, 7, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[10]), "=r"(r[11])
               : "r"(lane));
  unsigned many, truth, less, more;
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(many), "=r"(truth)
               : "r"(lane));
  asm("{ .reg .pred p, q; setp.lt.u32 p|q, %2, 6; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=r"(less), "=r"(more)
      : "r"(lane));
  if (lane != 5) return;
  for (int i = 0; i < 12; ++i) lanes[i] = r[i];
  lanes[12] = many << 8 | truth;
  lanes[13] = less << 1 | more;
}

void print_bounds() {
  ask_bounds<<<1, 32>>>();
  unsigned r[14];
  cudaMemcpyFromSymbol(r, lanes, sizeof r);
  std::printf(
      "up by 6: %u within %u, by 5: %u within %u, down to lane 6 at most: %u within %u, in eights %u within %u\n", r[0],
      r[1], r[2], r[3], r[4], r[5], r[6], r[7]);
  std::printf("predicates alone: %u %u, all of one value: %08x %u, of many: %08x %u, both ways %u %u\n", r[8], r[9],
              r[10], r[11], r[12] >> 8, r[12] & 255, r[13] >> 1, r[13] & 1);
}

int main() {
  ask<<<1, 32>>>();
  unsigned r[16];
  float f;
  cudaMemcpyFromSymbol(r, found, sizeof r);
  cudaMemcpyFromSymbol(&f, moved, sizeof f);
  std::printf("lane 5: up %u, in eights %u, down %u, xor %u, from %u, float %g\n", r[0], r[1], r[2], r[3], r[4], f);
  std::printf("ballot %08x, any %u, all %u, active %08x, match %08x\n", r[5], r[6], r[7], r[8], r[9]);
  std::printf("sum %u, least %d, or %08x\n", r[10], (int)r[11], r[12]);
  print_bounds();
}
