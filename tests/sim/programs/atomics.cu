// prints: add 51200 double 25600 max 511 min 0 inc 0 cas 512 exch 1 or ff sub -5
#include <cstdio>
__device__ double cas_add(double* p, double v) {
  auto* bits = reinterpret_cast<unsigned long long*>(p);
  unsigned long long old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double(seen)));
  } while (old != seen);
  return __longlong_as_double(old);
}
__global__ void many(int* a, double* d, unsigned* u) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(a, 100);
  atomicAdd(d, 50.0);
  atomicMax(a + 1, i);
  atomicMin(a + 2, i);
  atomicInc(u, 255);
  cas_add(d + 1, 1.0);
  if (i == 0) a[3] = atomicExch(a + 4, 9) == 1;
  atomicOr(u + 1, 1u << i % 8);
  if (i < 5) atomicSub(a + 5, 1);
}
int main() {
  int* a;
  double* d;
  unsigned* u;
  cudaMallocManaged(&a, 64);
  cudaMallocManaged(&d, 64);
  cudaMallocManaged(&u, 64);
  a[0] = 0, a[1] = -1, a[2] = 1000, a[4] = 1, a[5] = 0, d[0] = d[1] = 0, u[0] = u[1] = 0;
  many<<<8, 64>>>(a, d, u);
  std::printf("add %d double %g max %d min %d inc %u cas %g exch %d or %x sub %d\n", a[0], d[0], a[1], a[2], u[0], d[1],
              a[3], u[1], a[5]);
}
