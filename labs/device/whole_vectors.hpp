#pragma once

#include <cuda_runtime.h>

// The way of kernels that copy 16 bytes at a time, eight elements of bf16, to sizes that eight does not divide.
namespace whole_vectors {

// One thread an element of `to`: a copy of `from` with rows of another length, and zeros where `from` has nothing.
template <class T>
__global__ void resize_kernel(const T* from, int from_rows, int from_cols, T* to, int to_rows, int to_cols) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size_t(to_rows) * to_cols) return;
  const int row = i / to_cols, col = i % to_cols;
  to[i] = row < from_rows && col < from_cols ? from[size_t(row) * from_cols + col] : T(0);
}

template <class T>
void resize(const T* from, int from_rows, int from_cols, T* to, int to_rows, int to_cols) {
  const size_t count = size_t(to_rows) * to_cols;
  resize_kernel<<<(count + 255) / 256, 256>>>(from, from_rows, from_cols, to, to_rows, to_cols);
}

/// Computes c = a b by multiply(a, b, c, n, m, p), which may rely on m and p being multiples of 8: where they are not,
/// it works on copies whose rows end in zeros.
template <class Multiply>
void matmul(Multiply multiply, const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  if (m % 8 == 0 && p % 8 == 0) return multiply(a, b, c, n, m, p);
  const int m8 = (m + 7) / 8 * 8, p8 = (p + 7) / 8 * 8;
  unsigned short *wide_a, *wide_b;
  float* wide_c;
  cudaMallocAsync(&wide_a, sizeof(*a) * n * m8, 0);
  cudaMallocAsync(&wide_b, sizeof(*b) * m8 * p8, 0);
  cudaMallocAsync(&wide_c, sizeof(*c) * n * p8, 0);
  resize(a, n, m, wide_a, n, m8);
  resize(b, m, p, wide_b, m8, p8);
  multiply(wide_a, wide_b, wide_c, n, m8, p8);
  resize(wide_c, n, p8, c, n, p);
  cudaFreeAsync(wide_a, 0);
  cudaFreeAsync(wide_b, 0);
  cudaFreeAsync(wide_c, 0);
}

}  // namespace whole_vectors
