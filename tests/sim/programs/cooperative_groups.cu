// prints: block 96 of 96, rank 33, index (1, 0, 0)
// prints: tile 8 rank 3 of 12: sum 28 max 31 shfl 25 up 25 down 27 xor 27 ballot aa any 1 all 0
// prints: tile of tiles 4 rank 6: 6
// prints: coalesced odd 16 rank 1: sum 256 first 1, even 16
// prints: inclusive 10 exclusive 6 wide 7.5
// prints: labels 11 and partition 10
// prints: dynamic tile 16 rank 2
// prints: in a loop 4 lanes went round 3 times
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_block_tile<8> tile, int v) {
  for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
  return tile.shfl(v, 0);
}

__global__ void groups() {
  if (blockIdx.x == 0) return;
  cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 33)
    printf("block %u of %u, rank %u, index (%u, 0, 0)\n", block.size(), block.num_threads(), block.thread_rank(),
           block.group_index().x);
  block.sync();
  const int t = threadIdx.x;
  auto tile = cg::tiled_partition<8>(block);
  const int sum = sum_of(tile, t % 8), most = cg::reduce(tile, t, cg::greater<int>());
  const int shfl = tile.shfl(t, 1), up = tile.shfl_up(t, 1), down = tile.shfl_down(t, 1), other = tile.shfl_xor(t, 1);
  const unsigned ballot = tile.ballot(t & 1);
  const int any = tile.any(t == 26), all = tile.all(t == 26);
  if (t == 26)
    printf("tile %u rank %u of %u: sum %d max %d shfl %d up %d down %d xor %d ballot %x any %d all %d\n", tile.size(),
           tile.meta_group_rank(), tile.meta_group_size(), sum, most, shfl, up, down, other, ballot, any, all);
  cg::sync(block);
  auto warp = cg::tiled_partition<32>(block);
  auto quarter = cg::tiled_partition<4>(warp);
  const int rank = quarter.meta_group_rank();
  if (t == 25) printf("tile of tiles %u rank %d: %d\n", quarter.size(), rank, cg::tiled_partition<1>(quarter).shfl(6, 0));
  block.sync();
  __shared__ int seen[5];
  if (t < 32) {
    if (t % 2) {
      cg::coalesced_group odd = cg::coalesced_threads();
      const int total = cg::reduce(odd, t, cg::plus<int>()), first = odd.shfl(t, 0);
      if (t == 3) seen[0] = odd.size(), seen[1] = odd.thread_rank(), seen[2] = total, seen[3] = first;
    } else {
      const auto even = cg::coalesced_threads();
      even.sync();
      if (t == 30) seen[4] = even.size();
    }
  }
  block.sync();
  if (t == 0)
    printf("coalesced odd %d rank %d: sum %d first %d, even %d\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
  const int inclusive = cg::inclusive_scan(quarter, t % 4 + 1), exclusive = cg::exclusive_scan(quarter, t % 4 + 1);
  const double4 wide = warp.shfl(make_double4(t, t + 0.5, 0, 0), 7);
  if (t == 3) printf("inclusive %d exclusive %d wide %.1f\n", inclusive, exclusive, wide.y);
  block.sync();
  const auto thirds = cg::labeled_partition(warp, t % 3);
  const auto small = cg::binary_partition(warp, t % 32 < 10);
  if (t == 0) printf("labels %u and partition %u\n", thirds.size(), small.size());
  block.sync();
  const cg::thread_group half = cg::tiled_partition(block, 16);
  cg::sync(half), cg::sync(quarter);
  if (t == 18) printf("dynamic tile %d rank %d\n", static_cast<int>(half.size()), static_cast<int>(half.thread_rank()));
  block.sync();
  int rounds = 0;
  for (int i = 0; t < 8 && i < (t < 4 ? 1 : 3); ++i) {
    const auto still = cg::coalesced_threads();
    rounds += still.size() == (i == 0 ? 8 : 4);
  }
  if (t == 7) printf("in a loop 4 lanes went round %d times\n", rounds);
}
int main() {
  groups<<<2, 96>>>();
  cudaDeviceSynchronize();
}
