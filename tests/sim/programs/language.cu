// prints: 6 9 14 3 8 21
// prints: 1 2 3 4 struct 10
// prints: 12 12 5 40
// prints: sizes 16 8 1 ok
#include <array>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <math_constants.h>
#include <vector>
#ifndef __CUDACC__
#error not compiled as CUDA
#endif
#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t status_ = (call);                                                 \
    if (status_ != cudaSuccess) {                                                       \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)
#define KERNEL(name) __global__ void name
static __device__ __inline__ int inlined(int x) { return x + 1; }
__host__ __device__ constexpr int squared(int x) { return x * x; }
extern "C" __global__ void c_linkage(int* d) { d[0] = inlined(5); }
KERNEL(from_macro)(int* d) { d[1] = squared(3); }
template <typename T, int N = 4>
static __global__ void __launch_bounds__(256, 2) templated(T* __restrict__ d, const T* __restrict__ x) {
  T sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) sum += x[i];
  d[2] = sum + N;
}
struct parameters {
  int a, b[3];
  __device__ int sum() const { return a + b[0] + b[1] + b[2]; }
};
__global__ void by_value(int* d, const __grid_constant__ parameters p, std::array<int, 4> all) {
  d[threadIdx.x] = all[threadIdx.x];
  if (threadIdx.x == 0) d[4] = p.sum();
}
namespace one {
inline namespace two {
class launcher {
 public:
  explicit launcher(int* d) : d_{d} {}
  template <class Kernel, class... Arguments>
  void go(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) const {
    kernel<<<grid, block>>>(d_, arguments...);
    CHECK(cudaGetLastError());
  }

 private:
  int* d_;
};
__global__ void add(int* d, int x, int y = 2) { d[threadIdx.x] = x + y; }
}  // namespace two
}  // namespace one
__constant__ float table[8];
__device__ volatile int flag;
__global__ void symbols(int* d, float* address) { d[2] = static_cast<int>(table[3]), d[3] = static_cast<int>(address[4]) * 10; }
int main(int argc, char**) {
  int *d, h[8];
  CHECK(cudaMalloc(reinterpret_cast<void**>(&d), sizeof h));
  CHECK(cudaMemset(d, 0, sizeof h));
  c_linkage<<<1, 1>>>(d);
  from_macro<<<argc > 0 ? 1 : 2, dim3{1, 1}>>>(d);
  int* x;
  CHECK(cudaMallocManaged((void**)&x, 16));
  for (int i = 0; i < 4; ++i) x[i] = i + 1;
  auto* const kernel = templated<int>;
  kernel<<<1, 1>>>(d, x);
  one::launcher{d + 3}.go(one::add, 1, 1, 1, 2);
  one::launcher{d + 4}.go(one::two::add, dim3(1), dim3(1, 1), 3, 5);
  templated<int, 3><<<dim3(1), 1, 0, cudaStreamPerThread>>>(d + 3, x + 1);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5] + 9);
  by_value<<<1, 4>>>(d, parameters{1, {2, 3, 4}}, std::array<int, 4>{1, 2, 3, 4});
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d %d %d %d struct %d\n", h[0], h[1], h[2], h[3], h[4]);
  std::vector<float> values{1, 2, 3, 5, 4};
  void* address;
  size_t bytes;
  CHECK(cudaMemcpyToSymbol(table, values.data(), 5 * sizeof(float), 0, cudaMemcpyHostToDevice));
  CHECK(cudaGetSymbolAddress(&address, table));
  CHECK(cudaGetSymbolSize(&bytes, table));
  for (int i = 0; i < 2; ++i) one::add<<<1, 2>>>(d, 10, 2);
  symbols<<<1, 1>>>(d, static_cast<float*>(address));
  CHECK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDefault, cudaStreamLegacy));
  CHECK(cudaStreamSynchronize(nullptr));
  std::printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
  cudaProfilerStart();
  cudaProfilerStop();
  std::printf("sizes %zu %zu %d %s\n", alignof(float4), alignof(float2), cuCabsf(cuCmulf(make_cuComplex(3, 4), make_cuComplex(0, 1))) < CUDART_PI_F * 2, bytes == 32 ? "ok" : "no");
}
