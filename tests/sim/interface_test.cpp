#include <cuda_runtime.h>
#include <lab_sim.h>
#include <lab_sim/device.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "skip.hpp"

TEST_CASE("a copy that CUDA would refuse is refused") {
  cudaDeviceReset();
  char* d = nullptr;
  char h[64] = {};
  REQUIRE(cudaMalloc(&d, 64) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(d) % 256 == 0);
  CHECK(cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(d, h, 65, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(d, h, 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, h, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(d, h, 1, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset(h, 0, 64) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(cudaFree(d) == cudaErrorInvalidValue);
  CHECK(cudaFree(h) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
}

TEST_CASE("a last error is kept until it is asked for and is not sticky") {
  cudaDeviceReset();
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::string{cudaGetErrorName(cudaErrorIllegalAddress)} == "cudaErrorIllegalAddress");
  CHECK(std::string{cudaGetErrorString(cudaErrorInvalidConfiguration)} == "invalid configuration argument");
}

TEST_CASE("device memory can have the bytes of a file, and a write to it leaves the file as it was") {
  cudaDeviceReset();
  constexpr std::size_t page = 4096;
  const int file = memfd_create("bytes", MFD_CLOEXEC);
  const std::string first(page, 'a'), second(page, 'b');
  REQUIRE(write(file, first.data(), page) == static_cast<ssize_t>(page));
  REQUIRE(write(file, second.data(), page) == static_cast<ssize_t>(page));
  void* const d = lab_sim_malloc_of_file(file, page, page);
  REQUIRE(d);
  std::string read(page, ' ');
  CHECK(cudaMemcpy(read.data(), d, page, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == second);
  CHECK(cudaMemset(d, 'c', page) == cudaSuccess);
  CHECK(pread(file, read.data(), page, page) == static_cast<ssize_t>(page));
  CHECK(read == second);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK_FALSE(lab_sim_malloc_of_file(file, 0, page - 256));
  CHECK_FALSE(lab_sim_malloc_of_file(file, 256, page));
  char* const part = static_cast<char*>(lab_sim_malloc_of_file(file, page + 256, page - 300));
  REQUIRE(part);
  CHECK(cudaMemcpy(read.data(), part, page - 300, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read.substr(0, page - 300) == second.substr(0, page - 300));
  CHECK(cudaFree(part) == cudaSuccess);
  close(file);
}

TEST_CASE("device memory without a file has zeros and can be written") {
  cudaDeviceReset();
  constexpr std::size_t page = 4096;
  void* const d = lab_sim_malloc_of_file(-1, page, page);
  REQUIRE(d);
  std::string read(page, ' ');
  CHECK(cudaMemcpy(read.data(), d, page, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == std::string(page, 0));
  CHECK(cudaMemset(d, 'c', page) == cudaSuccess);
  CHECK(cudaMemcpy(read.data(), d, page, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == std::string(page, 'c'));
  CHECK(cudaFree(d) == cudaSuccess);
}

TEST_CASE("fresh device memory is neither zero nor what was freed") {
  cudaDeviceReset();
  std::vector<unsigned char> h(1000);
  void* d = nullptr;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(cudaMalloc(&d, h.size()) == cudaSuccess);
    cudaMemcpy(h.data(), d, h.size(), cudaMemcpyDeviceToHost);
    for (const auto byte : h) REQUIRE(byte == 0xff);
    cudaMemset(d, 7, h.size());
    cudaFree(d);
  }
}

TEST_CASE("two-dimensional copies keep to their pitches") {
  cudaDeviceReset();
  char *d = nullptr, source[3][4] = {"abc", "def", "ghi"}, back[3][2] = {};
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&d, &pitch, 4, 3) == cudaSuccess);
  CHECK(pitch >= 4);
  CHECK(cudaMemcpy2D(d, pitch, source, 4, 4, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(back, 2, d, pitch, 2, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::string(back[2], 2) == "gh");
  CHECK(cudaMemcpy2D(back, 1, d, pitch, 2, 3, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
}

TEST_CASE("events measure time only when they may") {
  cudaDeviceReset();
  cudaEvent_t a, b, c;
  REQUIRE(cudaEventCreate(&a) == cudaSuccess);
  REQUIRE(cudaEventCreate(&b) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&c, cudaEventDisableTiming) == cudaSuccess);
  float t = -1;
  CHECK(cudaEventElapsedTime(&t, a, b) == cudaErrorInvalidResourceHandle);
  for (const auto e : {a, b, c}) CHECK(cudaEventRecord(e) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&t, a, b) == cudaSuccess);
  CHECK(t >= 0);
  CHECK(cudaEventElapsedTime(&t, a, c) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(a) == cudaSuccess);
  CHECK(cudaEventDestroy(a) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("managed and pinned memory are reached by the host") {
  cudaDeviceReset();
  int *m = nullptr, *p = nullptr, *q = nullptr;
  REQUIRE(cudaMallocManaged(&m, 4) == cudaSuccess);
  REQUIRE(cudaMallocHost(&p, 4) == cudaSuccess);
  *m = 5;
  *p = 6;
  CHECK(cudaHostGetDevicePointer(&q, p, 0) == cudaSuccess);
  CHECK(q == p);
  CHECK(cudaMemcpy(m, p, 4, cudaMemcpyDefault) == cudaSuccess);
  CHECK(*m == 6);
  cudaPointerAttributes a;
  CHECK(cudaPointerGetAttributes(&a, m) == cudaSuccess);
  CHECK(a.type == cudaMemoryTypeManaged);
  CHECK(cudaFree(p) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(p) == cudaSuccess);
}

TEST_CASE("the device says what its limits are") {
  cudaDeviceReset();
  cudaDeviceProp prop;
  REQUIRE(cudaGetDeviceProperties(&prop, 0) == cudaSuccess);
  CHECK(prop.warpSize == 32);
  CHECK(prop.sharedMemPerBlock == 49152);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  CHECK(value == 1024);
  void* d = nullptr;
  CHECK(cudaMalloc(&d, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  CHECK(d == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

namespace {

using lab_sim::rounding;

void let_processor_round(rounding mode) {
  std::fesetround(mode == rounding::down ? FE_DOWNWARD : mode == rounding::up ? FE_UPWARD : FE_TOWARDZERO);
}

template <class T>
T by_processor(rounding mode, char operation, T x, T y) {
  let_processor_round(mode);
  const volatile T a = x, b = y, result = operation == '+' ? a + b : operation == '*' ? a * b : a / b;
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
T by_simulator(rounding mode, char operation, T x, T y) {
  using by = lab_sim::rounded<T>;
  return operation == '+' ? by::sum(mode, x, y) : operation == '*' ? by::product(mode, x, y) : by::quotient(mode, x, y);
}

template <class T, class Bits>
void compare_roundings() {
  std::mt19937_64 random{7};
  using limits = std::numeric_limits<T>;
  const T special[] = {0, -T{0},         limits::min(),      limits::denorm_min(), -limits::denorm_min(),
                       1, limits::max(), limits::infinity(), limits::quiet_NaN(),  -limits::max()};
  const auto any = [&] { return __builtin_bit_cast(T, static_cast<Bits>(random())); };
  const auto near_one = [&] {
    return (random() % 2 ? -T{1} : T{1}) * (1 + static_cast<T>(random() % 4096) * limits::epsilon());
  };
  int different = 0;
  for (int i = 0; i < 100'000; ++i) {
    const T x = i < 100 ? special[i / 10] : i % 3 ? near_one() : any();
    const T y = i < 100 ? special[i % 10] : i % 2 ? near_one() : any();
    for (const auto mode : {rounding::down, rounding::up, rounding::zero})
      for (const char operation : {'+', '*', '/'}) {
        const T got = by_simulator(mode, operation, x, y), right = by_processor(mode, operation, x, y);
        const bool same = __builtin_bit_cast(Bits, got) == __builtin_bit_cast(Bits, right);
        different += !same && !(std::isnan(got) && std::isnan(right));
      }
  }
  CHECK(different == 0);
}

template <class Work>
double least_seconds(const Work& work) {
  double least = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    for (int k = 0; k < 20'000; ++k) work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
  return least;
}

}  // namespace

TEST_CASE("sums, products and quotients are rounded as the processor rounds them") {
  compare_roundings<float, std::uint32_t>();
  compare_roundings<double, std::uint64_t>();
}

TEST_CASE("a sum or product that is rounded up takes less time than to set the processor's rounding") {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("fma")) lab_test::skip("the processor has no fused multiply-add");
#else
  lab_test::skip("other processors set their rounding in less time");
#endif
  volatile double x = 1.1, y = 2.3;
  const double set = least_seconds([] { std::fesetround(FE_UPWARD), std::fesetround(FE_TONEAREST); });
  CHECK(least_seconds([&] { x = lab_sim::rounded<double>::sum(rounding::up, 1e-20, y); }) < set);
  CHECK(least_seconds([&] { x = lab_sim::rounded<double>::product(rounding::up, 1.3, y); }) < set);
}
