// hazard: error hang 19 0
#include <cstdint>
// Each block waits until its neighbour arrives, and block 1 never does.
__global__ void __cluster_dims__(2) never_answers(int* out) {
  __shared__ std::uint64_t barrier;
  const unsigned place = __cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place));
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  if (blockIdx.x == 0 && threadIdx.x == 0)
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(place),
        "r"(1));
  if (threadIdx.x == 0) {
    unsigned over = 0;
    while (!over)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                   : "=r"(over)
                   : "r"(place));
  }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  never_answers<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess;
}
