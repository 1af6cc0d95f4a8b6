// prints: overloaded int overloaded float pointer 3 default 5 null 1 struct 7 deduced 4 grid 24 macro 6
#include <cstdio>
struct pair {
  int a, b;
};
template <class T>
__global__ void set(T* p, T v) {
  *p = v;
}
__global__ void say(int*) { printf("overloaded int "); }
__global__ void say(float*) { printf("overloaded float "); }
__global__ void three(int* p, int v) { *p = v; }
__global__ void standard(int* p, int v = 5) { *p = v; }
__global__ void null(int* p, const float* q) { *p = q == nullptr; }
__global__ void sum(int* p, pair v) { *p = v.a + v.b; }
__global__ void coordinates(int* p) {
  if (threadIdx.x == 1 && threadIdx.y == 1 && threadIdx.z == 1 && blockIdx.x == 2 && blockIdx.y == 0 && blockIdx.z == 1)
    *p = gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y / blockDim.z / 2;
}
#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
int main() {
  int* p;
  cudaMallocManaged(&p, 4);
  float* none = nullptr;
  say<<<1, 1>>>(p);
  say<<<1, 1>>>(none);
  void (*chosen)(int*, int) = three;
  (*chosen)<<<1, 1>>>(p, 3);
  std::printf("pointer %d ", *p);
  standard<<<1, 1>>>(p);
  std::printf("default %d ", *p);
  null<<<1, 1>>>(p, 0);
  std::printf("null %d ", *p);
  sum<<<1, 1>>>(p, pair{3, 4});
  std::printf("struct %d ", *p);
  set<<<1, 1>>>(p, 4);
  std::printf("deduced %d ", *p);
  coordinates<<<dim3(3, 2, 4), dim3(2, 2, 2)>>>(p);
  std::printf("grid %d ", *p);
  LAUNCH(three, p, 6);
  std::printf("macro %d\n", *p);
}
