// Special registers in inline PTX, with one and with two percent signs.
// prints: lane 5, warp 2, thread 69 of 96, block 1 of 2
// prints: masks 00000020 0000001f 0000003f ffffffe0 ffffffc0
// prints: time goes on 1 1, plain 7
#include <cstdio>

__device__ unsigned found[16];
__device__ bool later[2];

__global__ void ask() {
  unsigned r[11], seven = 7, copy;
  asm("mov.u32 %0, %%laneid;" : "=r"(r[0]));
  asm volatile("mov.u32 %0, %warpid;" : "=r"(r[1]));
  asm("mov.u32 %0, %%tid.x;\n\tmov.u32 %1, %%ntid.x;" : "=r"(r[2]), "=r"(r[3]));
  asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%nctaid.x;" : "=r"(r[4]), "=r"(r[5]));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r[6]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r[7]));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(r[8]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r[9]));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r[10]));
  asm("mov.b32 %0, %1;" : "=r"(copy) : "r"(seven));
  unsigned long long timer, timer_later;
  long long clock, clock_later;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(timer));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  __nanosleep(1000);
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(timer_later));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock_later));
  if (blockIdx.x != 1 || threadIdx.x != 69) return;
  for (int i = 0; i < 11; ++i) found[i] = r[i];
  found[11] = copy;
  later[0] = timer_later >= timer, later[1] = clock_later > clock;
}

int main() {
  ask<<<2, 96>>>();
  unsigned r[16];
  bool on[2];
  cudaMemcpyFromSymbol(r, found, sizeof r);
  cudaMemcpyFromSymbol(on, later, sizeof on);
  std::printf("lane %u, warp %u, thread %u of %u, block %u of %u\n", r[0], r[1], r[2], r[3], r[4], r[5]);
  std::printf("masks %08x %08x %08x %08x %08x\n", r[6], r[7], r[8], r[9], r[10]);
  std::printf("time goes on %d %d, plain %u\n", on[0], on[1], r[11]);
}
