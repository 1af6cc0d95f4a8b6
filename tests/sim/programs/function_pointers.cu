// prints: by symbol 11 by table 12 22 by argument 5
// prints: lambdas 25 75 6 captured 42
// prints: functor 49 member 9
#include <cstdio>
__device__ int add_one(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
using operation = int (*)(int);
__device__ operation table[] = {add_one, twice};
__device__ operation one = add_one;
__constant__ int scale = 2;
__global__ void apply(operation f, int* d) {
  d[0] = f(10);
  d[1] = table[0](11);
  d[2] = table[1](11);
}
template <class F>
__global__ void each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <int (*F)(int)>
__global__ void by_argument(int* d) {
  *d = F(4);
}
struct power {
  int exponent;
  __host__ __device__ int operator()(int x) const {
    int all = 1;
    for (int i = 0; i < exponent; ++i) all *= x;
    return all;
  }
  __device__ static int nine() { return 9; }
};
int main() {
  int* d;
  cudaMallocManaged(&d, 64 * sizeof(int));
  operation h;
  cudaMemcpyFromSymbol(&h, one, sizeof h);
  apply<<<1, 1>>>(h, d);
  by_argument<add_one><<<1, 1>>>(d + 3);
  cudaDeviceSynchronize();
  std::printf("by symbol %d by table %d %d by argument %d\n", d[0], d[1], d[2], d[3]);
  each<<<1, 64>>>(64, [=] __device__(int i) { d[i] = i * i; });
  cudaDeviceSynchronize();
  const int square = d[5];
  const auto triple = [=] __host__ __device__(int i) { return i * 3; };
  each<<<2, 32>>>(64, [=] __device__(int i) { d[i] = triple(d[i]); });
  cudaDeviceSynchronize();
  std::printf("lambdas %d %d %d", square, d[5], triple(2));
  const int offset = 40;
  each<<<1, 1>>>(1, [d, offset] __device__(int i) { d[i] = offset + scale; });
  cudaDeviceSynchronize();
  std::printf(" captured %d\n", d[0]);
  const power p{2};
  each<<<1, 8>>>(8, [=] __device__(int i) { d[i] = i == 0 ? power::nine() : p(i); });
  cudaDeviceSynchronize();
  std::printf("functor %d member %d\n", d[7], d[0]);
}
