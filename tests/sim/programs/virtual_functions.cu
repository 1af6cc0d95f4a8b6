// prints: areas 12 9 25
#include <cstdio>
struct shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~shape() {}
};
struct rectangle : shape {
  int a, b;
  __device__ rectangle(int a, int b) : a(a), b(b) {}
  __device__ int area() const override { return a * b; }
};
struct square : rectangle {
  __device__ explicit square(int a) : rectangle(a, a) {}
  __device__ int area() const override { return a * a; }
};
__device__ shape* made(int kind) {
  if (kind == 0) return new rectangle(3, 4);
  return new square(2 * kind + 1);
}
__global__ void areas(int* d) {
  shape* const one = made(threadIdx.x);
  d[threadIdx.x] = one->area();
  delete one;
}
int main() {
  int *d, h[3];
  cudaMalloc(&d, sizeof h);
  areas<<<1, 3>>>(d);
  const cudaError_t failed = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  if (failed != cudaSuccess) std::printf("%s\n", cudaGetErrorString(failed));
  std::printf("areas %d %d %d\n", h[0], h[1], h[2]);
}
