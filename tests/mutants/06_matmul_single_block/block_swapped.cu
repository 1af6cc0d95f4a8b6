// expect: wrong_answer  diagnosis: stops_short | missing_guard
// Takes n threads along x and p along y.
#include <cstdio>

#include "lab.hpp"

constexpr int most_threads = 32;            // of one block along each side: 32 x 32 is the most that CUDA allows
constexpr size_t shared_limit = 48 * 1024;  // bytes of shared memory that any block may have

// One block computes all of c, one thread an element. Its threads first copy a and b to shared memory together.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  extern __shared__ float shared[];  // as many bytes as the launch says: first a, then b
  float* a_shared = shared;
  float* b_shared = shared + n * m;

  // Successive threads copy successive elements, whatever the matrices' shapes.
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y;
  for (int i = thread; i < n * m; i += threads) a_shared[i] = a[i];
  for (int i = thread; i < m * p; i += threads) b_shared[i] = b[i];
  __syncthreads();  // every thread reads what all the others copied

  const int col = threadIdx.x;
  const int row = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a_shared[row * m + k] * b_shared[k * p + col];
  // hazard: out_of_bounds
  c[row * p + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const size_t bytes = (size_t(n) * m + size_t(m) * p) * sizeof(float);
  if (n > most_threads || p > most_threads || bytes > shared_limit) {
    std::fprintf(stderr, "matmul: %d x %d by %d x %d does not fit into one block\n", n, m, m, p);
    return;
  }
  const dim3 block(n, p);
  matmul_kernel<<<1, block, bytes>>>(a, b, c, n, m, p);
}
