// prints: 45 120 10 7 16
// prints: at run time 45 120
#include <array>
#include <cstdio>
constexpr int triangle(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i) sum += i;
  return sum;
}
static_assert(triangle(9) == 45);
#if __cplusplus >= 202002L
consteval
#else
constexpr
#endif
int factorial(int n) {
  int product = 1;
  while (n > 1) product *= n--;
  return product;
}
__host__ __device__ constexpr int digits(long n) {
  int count = 0;
  do ++count;
  while (n /= 10);
  return count;
}
struct squares {
  int of[5];
  constexpr squares() : of{} {
    for (int i = 0; i < 5; ++i) of[i] = i * i;
  }
  constexpr int first_above(int least) const {
    for (int i = 0;; ++i)
      if (of[i] > least) return of[i];
  }
};
constexpr squares table;
static_assert(table.first_above(9) == 16);
constexpr auto largest = []() constexpr {
  int most = 0;
  for (const int x : {3, 7, 5}) most = x > most ? x : most;
  return most;
}();
template <int N>
constexpr std::array<int, N> ramp() {
  std::array<int, N> all{};
  for (int i = 0; i < N; ++i) all[i] = i + 1;
  return all;
}
__constant__ std::array<int, 5> ramp_of_5 = ramp<5>();
__global__ void constants(int* d) {
  __shared__ int bits[1 << digits(9)];
  bits[threadIdx.x % 2] = 45;
  d[0] = triangle(9);
  d[1] = factorial(5);
  d[2] = ramp_of_5[4] * (bits[0] / 22);
  d[3] = largest;
  d[4] = table.first_above(9);
  d[5] = triangle(d[2] - 1);
}
int main() {
  int *d, h[6], n = 9;
  cudaMalloc(&d, sizeof h);
  constants<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
  std::printf("at run time %d %d\n", h[5], factorial(5) + triangle(n) - 45);
}
