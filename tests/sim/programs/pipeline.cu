// Copies past the registers: whole, with their ends filled with zeros, and nothing but zeros.
// prints: 0 1 2 3 | 4 5 0 0 | 0 0 0 0
// prints: 12 13 | 14 0 | 16
#include <cuda_pipeline.h>

#include <cstdio>

__global__ void copies(const int* from, int* to) {
  __shared__ int4 four[3];
  __shared__ int2 two[2];
  __shared__ int one;
  for (int i = 0; i < 3; ++i) __pipeline_memcpy_async(&four[i], from + 4 * i, 16, 8 * i);
  __pipeline_memcpy_async(&two[0], from + 12, 8);
  __pipeline_memcpy_async(&two[1], from + 14, 8, 4);
  __pipeline_memcpy_async(&one, from + 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 12; ++i) to[i] = reinterpret_cast<int*>(four)[i];
  for (int i = 0; i < 4; ++i) to[12 + i] = reinterpret_cast<int*>(two)[i];
  to[16] = one;
}

int main() {
  int *from, *to;
  cudaMallocManaged(&from, 17 * sizeof(int));
  cudaMallocManaged(&to, 17 * sizeof(int));
  for (int i = 0; i < 17; ++i) from[i] = i;
  copies<<<1, 1>>>(from, to);
  cudaDeviceSynchronize();
  for (int i = 0; i < 17; ++i)
    std::printf("%d%s", to[i], i == 11 || i == 16 ? "\n" : i < 11 ? i % 4 == 3 ? " | " : " " : i % 2 ? " | " : " ");
  cudaFree(from);
  cudaFree(to);
}
