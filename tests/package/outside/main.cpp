#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "lab.hpp"

int main() {
  constexpr int rows = 45, cols = 70;
  std::vector<int> in(rows * cols), out(rows * cols);
  for (int i = 0; i < rows * cols; ++i) in[i] = i;
  int *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, sizeof(int) * in.size()) != cudaSuccess) return 77;  // no device on this machine
  if (cudaMalloc(&b, sizeof(int) * out.size()) != cudaSuccess) return 77;
  cudaMemcpy(a, in.data(), sizeof(int) * in.size(), cudaMemcpyHostToDevice);
  transpose(a, b, rows, cols);
  cudaMemcpy(out.data(), b, sizeof(int) * out.size(), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if (out[j * rows + i] != i * cols + j) return std::printf("wrong at row %d, column %d\n", i, j), 1;
  std::puts("transposed");
}
