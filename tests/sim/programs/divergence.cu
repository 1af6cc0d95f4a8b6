// prints: cudaErrorLaunchFailure divergent_barrier: kernel split, block (0, 0, 0), thread (0, 0, 0): 16 threads wait at a block barrier and 16 at warp operations, and none can continue
// prints: cudaErrorLaunchFailure invalid_sync_mask: kernel alone, block (0, 0, 0), thread (0, 0, 0): lane 0 is not in the mask that it passes to a warp operation
#include <lab_sim.h>

#include <cstdio>
__global__ void split() {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncwarp();
}
__global__ void alone() { __syncwarp(0x2); }
void say() {
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s %s\n", cudaGetErrorName(status), lab_sim_error_detail());
  lab_sim_reset();
}
int main() {
  split<<<1, 32>>>();
  say();
  alone<<<1, 1>>>();
  say();
}
