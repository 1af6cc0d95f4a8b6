// hazard: error race 13 0
#include <cstdint>
// Each block arrives at its neighbour's barrier, for which no block waits.
__global__ void __cluster_dims__(2) arrives_late(int* out) {
  __shared__ std::uint64_t barrier;
  const unsigned place = __cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place));
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(place),
        "r"(1 - blockIdx.x));
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  arrives_late<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
