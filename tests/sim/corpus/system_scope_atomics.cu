// hazard: error missing_synchronization 19 0
#include <cstdio>
__global__ void for_all(int* counters) {
  atomicAdd_system(&counters[0], 1);
  atomicMax_system(&counters[1], static_cast<int>(threadIdx.x));
  atomicCAS_system(&counters[2], 5, 6);
}
__global__ void for_the_device(int* counters) { atomicAdd(&counters[0], 1); }
int main() {
  int *legal, *wrong;
  cudaMallocManaged(&legal, 16);
  cudaMallocManaged(&wrong, 16);
  for (int i = 0; i < 3; ++i) legal[i] = wrong[i] = 0;
  for_all<<<2, 32>>>(legal);
  for (int i = 0; i < 64; ++i) __sync_fetch_and_add(&legal[0], 1);
  __atomic_fetch_or(&legal[2], 8, __ATOMIC_SEQ_CST);
  for_the_device<<<2, 32>>>(wrong);
  int most = 0;
  for (int i = 0; i < 4; ++i) most = __atomic_add_fetch(&wrong[0], 1, __ATOMIC_SEQ_CST);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", legal[0], most);
}
