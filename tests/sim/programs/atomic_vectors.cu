// prints: pair 512 1024, four 512 1024 1536 2048, before 1 2 3 4
#include <cstdio>

__device__ float2 pair;
__device__ float4 four;

__global__ void add_everywhere() {
  atomicAdd(&pair, make_float2(1, 2));
  atomicAdd(&four, make_float4(1, 2, 3, 4));
}

__global__ void show() {
  printf("pair %g %g, four %g %g %g %g", pair.x, pair.y, four.x, four.y, four.z, four.w);
  four = make_float4(1, 2, 3, 4);
  const float4 before = atomicAdd(&four, make_float4(1, 1, 1, 1));
  printf(", before %g %g %g %g\n", before.x, before.y, before.z, before.w);
}

int main() {
  add_everywhere<<<8, 64>>>();
  show<<<1, 1>>>();
  cudaDeviceSynchronize();
}
