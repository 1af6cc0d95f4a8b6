// What the words of C++ mean in device code: shifts clamp, __CUDA_ARCH__ is defined, clock() counts as clock64().
// prints: left 0 a00 0 16
// prints: right 0 -1 5 1
// prints: wide 0 ffffffff00000000 0
// prints: assigned 0 -1 60
// prints: constants 8 32 4 2
// prints: classes 42 7
// prints: in macros 0 1 a -1, bits 16
// prints: arch kernel device both-on-device
// prints: host both-on-host 3
// prints: macro 1
// prints: clocks agree
#include <cstdio>

struct bits {
  int value;
  __host__ __device__ bits operator<<(int n) const { return {value + n}; }
  __host__ __device__ bits& operator>>=(int n) {
    value -= n;
    return *this;
  }
};
template <class T>
struct wrapped {
  using type = T;
};
template <class A, class B>
struct pair_of {
  A a;
  B b;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define NEW_DEVICE 1
#else
#define NEW_DEVICE 0
#endif

__device__ int log_of(unsigned n) {
  int log = 0;
  while (n >>= 1) ++log;
  return log;
}

__device__ const char* where() {
#ifdef __CUDA_ARCH__
  return "device";
#else
  return "host";
#endif
}

__host__ __device__ const char* both(int& n) {
#ifndef __CUDA_ARCH__
  const char* side = "both-on-host";
  n = 3;
#else
  const char* side = "both-on-device";
  n = 4;
#endif
  return side;
}

__global__ void shifts(unsigned v, int s, int n, int minus) {
  constexpr int three = 3;
  __shared__ int array[1 << three];
  printf("left %x %x %x %x\n", v << n, v << ((n - 24) & ~1), v << (n + 32) | v << minus, v << (n - 31) | 2);
  printf("right %d %d %d %d\n", int(v >> n), s >> n, (s + 13) >> 1, log_of(2) >> (n & 31));
  printf("wide %llx %llx %llx\n", 1ull << 2 * n, ~0ull << n, ~0ull >> (n << 1));
  unsigned a = v;
  a <<= n;
  short b = -5;
  b >>= n > 3 ? n : 1;
  signed char c = 15;
  c <<= n - 30;
  printf("assigned %u %d %d\n", a, b, c);
  printf("constants %d %d %d %d\n", int(sizeof array / 4), 1 << 5, 1 << (three - 1), 8 >> 2);
  wrapped<wrapped<bits>>::type::type x = {40};
  pair_of<pair_of<int, int>, wrapped<wrapped<int>>> p = {};
  x = x << (n - 30);
  bits y = {39};
  y >>= n;
  printf("classes %d %d\n", x.value + p.a.a, y.value);
}

#define LEFT(a, n) ((a) << (n))
#define ROTATED(a, n) (LEFT(a, n) | (a) >> (32 - (n)))
#define HALVED(a, n) \
  do {               \
    (a) >>= (n);     \
  } while (0)
#define BITS (1 << 4)
#define HAS(bit) (BITS >> (bit)&1)
#if HAS(4)
#define BITS_HERE BITS
#endif

__global__ void shifts_in_macros(unsigned v, int s, int n) {
  printf("in macros %x %x %x ", LEFT(v, n), LEFT(1u, n - 32), ROTATED(v, n - 32));
  HALVED(s, n);
  printf("%d, bits %d\n", s, BITS_HERE);
}

__global__ void arch() {
  int n = 0;
#if __CUDA_ARCH__ >= 800
  const char* name = __CUDA_ARCH__ == 900 ? "kernel" : "other kernel";
#elif defined(__CUDA_ARCH__)
  const char* name = "old kernel";
#else
  const char* name = "vanished";
#endif
  const char* const side = both(n);
  printf("arch %s %s %s\n", name, where(), n == 4 ? side : "?");
}

__global__ void macro() { printf("macro %d\n", NEW_DEVICE); }

__global__ void clocks() {
  const long long begin = clock64();
  const clock_t first = clock();
  while (clock64() - begin < 3'000'000) {
  }
  const int ticks = static_cast<int>(clock() - first);
  printf("clocks %s\n", ticks > 2'000'000 && ticks < 2'000'000'000 ? "agree" : "differ");
}

int main() {
  shifts<<<1, 1>>>(10, -3, 32, -1);
  cudaDeviceSynchronize();
  shifts_in_macros<<<1, 1>>>(10, -3, 32);
  cudaDeviceSynchronize();
  arch<<<1, 1>>>();
  cudaDeviceSynchronize();
  int n = 0;
  const char* side = both(n);
  std::printf("host %s %d\n", side, n);
  macro<<<1, 1>>>();
  cudaDeviceSynchronize();
  clocks<<<1, 1>>>();
  cudaDeviceSynchronize();
}
