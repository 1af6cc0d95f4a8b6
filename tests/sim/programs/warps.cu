// prints: sum 496 scan 496 xor 1 ballot ff any 1 all 0 match f max 31 partial 120
// prints: 0 of 4800 exchanges are wrong
#include <cstdio>
__global__ void warp(int* d) {
  const int t = threadIdx.x;
  int sum = t, scan = t;
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
  for (int k = 1; k < 32; k *= 2) {
    const int left = __shfl_up_sync(~0u, scan, k);
    if (t >= k) scan += left;
  }
  const int other = __shfl_xor_sync(~0u, t, 1);
  const unsigned ballot = __ballot_sync(~0u, t < 8);
  const int any = __any_sync(~0u, t == 3), all = __all_sync(~0u, t == 3);
  const unsigned match = __match_any_sync(~0u, t / 4);
  const int most = __reduce_max_sync(~0u, t);
  int part = t;  // both halves meet on their own
  if (t < 16)
    part = __reduce_add_sync(0xffff, part);
  else
    part = __reduce_add_sync(0xffff0000, part);
  __syncwarp();
  if (t == 31) d[1] = scan;
  if (t == 0) d[0] = sum, d[2] = other, d[3] = ballot, d[4] = any, d[5] = all, d[6] = match, d[7] = most, d[8] = part;
}
// Whole warps and parts of them exchange values in turn. The lanes of a part are ahead of the others by some exchanges.
__global__ void in_turn(int* wrong) {
  const int t = threadIdx.x % 32, seed = threadIdx.x / 32 * 1000;
  const unsigned part = t < 12 ? 0xfffu : ~0xfffu;
  for (int round = 0; round < 10; ++round) {
    const int from = (t + round) % 32;
    if (__shfl_sync(~0u, seed + t * 7 + round, from) != seed + from * 7 + round) atomicAdd(wrong, 1);
    for (int k = 0; k < (t < 12 ? 3 : 1); ++k) {
      const int first = t < 12 ? round % 12 : 12 + round;
      if (__shfl_sync(part, seed + t + k, first) != seed + first + k) atomicAdd(wrong, 1);
    }
    const unsigned even = __ballot_sync(~0u, t % 2 == 0);
    if (even != 0x55555555) atomicAdd(wrong, 1);
  }
}
int main() {
  int* d;
  cudaMallocManaged(&d, 64);
  warp<<<1, 32>>>(d);
  std::printf("sum %d scan %d xor %d ballot %x any %d all %d match %x max %d partial %d\n", d[0], d[1], d[2], d[3], d[4],
              d[5], d[6], d[7], d[8]);
  cudaDeviceSynchronize();
  d[0] = 0;
  in_turn<<<2, 64>>>(d);
  cudaDeviceSynchronize();
  std::printf("%d of 4800 exchanges are wrong\n", d[0]);
}
