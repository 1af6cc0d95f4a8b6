// prints: plain 8 at 256 threads, 2 at 1024
// prints: 40 KB of static shared memory: 5, with 60 KB of dynamic: 2
// prints: a template's own: 7
// prints: best block 1024, grid 264, limited to 200: 128
// prints: 120 KB for each block of any size: 1024
// prints: static bytes 40960
#include <cstdio>
__global__ void plain(int* p) { *p = 1; }
__global__ void large(int* p) {
  __shared__ int tile[10240];
  tile[threadIdx.x] = *p;
  *p = tile[0];
}
template <class T, int N>
__global__ void tiled(T* p) {
  __shared__ T tile[N];
  tile[threadIdx.x] = *p;
  *p = tile[0];
}
int main() {
  int a = 0, b = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, plain, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, plain, 1024, 0);
  std::printf("plain %d at 256 threads, %d at 1024\n", a, b);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, large, 128, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, large, 128, 60 * 1024);
  std::printf("40 KB of static shared memory: %d, with 60 KB of dynamic: %d\n", a, b);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, tiled<double, 3800>, 128, 0);
  std::printf("a template's own: %d\n", a);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain);
  std::printf("best block %d, grid %d", block, grid);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 200);
  std::printf(", limited to 200: %d\n", block);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain, [](int) { return 120 * 1024; });
  std::printf("120 KB for each block of any size: %d\n", block);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, large);
  std::printf("static bytes %zu\n", attributes.sharedSizeBytes);
}
