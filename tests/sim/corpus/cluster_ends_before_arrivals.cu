// hazard: error race 17 0
#include <cstdint>
// Each block arrives at three barriers of its neighbour. Of the first, a barrier of the cluster tells all that the
// arrival has come; the third is one whose block waits. All threads also meet before the blocks end, but that barrier
// does not release what they did: the arrival at the second may still be on its way.
__global__ void __cluster_dims__(2) arrives_and_meets(int* out) {
  __shared__ std::uint64_t barriers[3];
  const unsigned place = __cvta_generic_to_shared(barriers);
  if (threadIdx.x < 3) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place + 8 * threadIdx.x));
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  const auto of_neighbour = [&](unsigned at) {
    asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(at) : "r"(1 - blockIdx.x));
    return at;
  };
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_neighbour(place)));
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_neighbour(place + 8)));
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_neighbour(place + 16)));
  unsigned over = 0;
  while (!over)
    asm volatile("{\n.reg .pred over;\nmbarrier.try_wait.parity.shared.b64 over, [%1], 0;\nselp.u32 %0, 1, 0, over;\n}"
                 : "=r"(over)
                 : "r"(place + 16));
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  arrives_and_meets<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
