// expect: compile_limit | compile_error
// Makes the compiler compute without end.
#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

template <int which>
constexpr int spin() {
  int sum = which;
  for (int i = 0; i < 30'000'000; ++i) sum ^= i;
  return sum;
}
template <int... which>
constexpr int spin_all(int first, int (*... f)()) {
  return first;
}
template <int n>
struct chain {
  static constexpr int value = spin<n>() + chain<n - 1>::value;
};
template <>
struct chain<0> {
  static constexpr int value = 0;
};
constexpr int boom = chain<400>::value;

void vector_add(const int* a, const int* b, int* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }

void vector_add_host(const int* a, const int* b, int* out, int n) {
  int *da, *db, *dout;
  const size_t bytes = n * sizeof(int);
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&dout, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  vector_add(da, db, dout, n);
  cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dout);
}
