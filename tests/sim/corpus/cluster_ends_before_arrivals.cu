// hazard: error race 15 0
#include <cstdint>
// All threads meet before the blocks end. But the barrier does not release what they did, so an arrival at the
// neighbour's barrier may still be on its way. The second barrier is one whose block waits.
__global__ void __cluster_dims__(2) arrives_and_meets(int* out) {
  __shared__ std::uint64_t barriers[2];
  const unsigned place = __cvta_generic_to_shared(barriers);
  if (threadIdx.x < 2) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place + 8 * threadIdx.x));
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  const auto of_neighbour = [&](unsigned at) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(1 - blockIdx.x));
    return there;
  };
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_neighbour(place)));
  if (threadIdx.x == 1) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_neighbour(place + 8)));
  unsigned over = 0;
  while (!over)
    asm volatile("{\n.reg .pred over;\nmbarrier.try_wait.parity.shared.b64 over, [%1], 0;\nselp.u32 %0, 1, 0, over;\n}"
                 : "=r"(over)
                 : "r"(place + 8));
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  arrives_and_meets<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
