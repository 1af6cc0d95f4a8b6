// Barriers of a part of a block: PTX's barriers with a number of threads, and tiles of several warps.
// prints: queue 4950, 2 producers and 2 consumers
// prints: tile of 64: rank 5 of tile 1 of 2, sum 6112, double 3056, any 1 0, all 1 0
// prints: shuffled 127, warps in a tile 2
// prints: tile of 128 in a block of two dimensions: sum 8128
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

// The first two warps fill a buffer that the other two empty, again and again.
__global__ void queue(int* out) {
  __shared__ int buffer[64];
  const int lane = threadIdx.x % 64;
  int sum = 0;
  for (int round = 0; round < 99; ++round)
    if (threadIdx.x < 64) {
      if (round > 0) asm volatile("bar.sync %0, %1;" ::"r"(2), "r"(128) : "memory");
      buffer[lane] = round + 1;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("barrier.sync 1, 128;" ::: "memory");
      sum += buffer[63 - lane];
      if (round < 98) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  if (threadIdx.x >= 64) out[lane] = sum;
}

__global__ void tiles(int* out, double* real) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int value = threadIdx.x;
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  const double half = cg::reduce(tile, value / 2.0, cg::plus<double>());
  const int last = tile.shfl(value, 63);
  const auto warps = cg::tiled_partition<32>(tile);
  const int votes[] = {tile.any(value == 70), tile.any(value > 200), tile.all(value > 63), tile.all(value > 64)};
  tile.sync();
  if (threadIdx.x != 69) return;
  out[0] = tile.thread_rank(), out[1] = tile.meta_group_rank(), out[2] = tile.meta_group_size(), out[3] = sum;
  for (int i = 0; i < 4; ++i) out[4 + i] = votes[i];
  out[8] = last, out[9] = warps.meta_group_size();
  *real = half;
}

__global__ void flat(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const int sum = cg::reduce(tile, static_cast<int>(tile.thread_rank()), cg::plus<int>());
  if (threadIdx.x == 3 && threadIdx.y == 7) *out = sum;
}

int main() {
  int* out;
  double* real;
  cudaMallocManaged(&out, 64 * sizeof(int)), cudaMallocManaged(&real, sizeof(double));
  queue<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  std::printf("queue %d, 2 producers and 2 consumers\n", out[17]);
  tiles<<<1, 128>>>(out, real);
  cudaDeviceSynchronize();
  std::printf("tile of 64: rank %d of tile %d of %d, sum %d, double %g, any %d %d, all %d %d\n", out[0], out[1], out[2],
              out[3], *real, out[4], out[5], out[6], out[7]);
  std::printf("shuffled %d, warps in a tile %d\n", out[8], out[9]);
  flat<<<1, dim3(16, 8)>>>(out);
  cudaDeviceSynchronize();
  std::printf("tile of 128 in a block of two dimensions: sum %d\n", *out);
}
