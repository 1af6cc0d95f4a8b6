// Measures the parameters of the time model on the GPU at hand and prints them as JSON.
//   nvcc -O3 -arch=native microbenchmarks.cu -o microbenchmarks && ./microbenchmarks > parameters.json
// --quick shortens every measurement; its numbers only show that the program runs.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "microbenchmarks.cu:%d: %s\n", line, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

bool quick = false;
int multiprocessors = 0;

template <class T>
struct array {
  explicit array(std::size_t count) {
    CHECK(cudaMalloc(&data, count * sizeof(T))), CHECK(cudaMemset(data, 0, count * sizeof(T)));
  }
  ~array() { cudaFree(data); }
  array(const array&) = delete;
  T* data = nullptr;
};

// ---- timing: the work is queued behind a kernel that waits, so the host's launches cost nothing ----

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Seconds between two events around the work, median over rounds.
double seconds(
    const std::function<void()>& work, int rounds = 15, const std::function<void()>& before = [] {}) {
  if (quick) rounds = 1;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin)), CHECK(cudaEventCreate(&end));
  std::vector<double> all;
  for (int i = 0; i < rounds + (quick ? 0 : 2); ++i) {
    before();
    wait<<<1, 1>>>(quick ? 1 : 500000);
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (quick || i >= 2) all.push_back(ms / 1e3);
  }
  CHECK(cudaEventDestroy(begin)), CHECK(cudaEventDestroy(end));
  return median(all);
}

// ---- device memory and L2 ----

__global__ void copy(const float4* in, float4* out, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    out[i] = in[i];
}

__global__ void read_all(const float4* in, float* out, std::size_t count, int passes) {
  float sum = 0;
  for (int p = 0; p < passes; ++p) {
#pragma unroll 8
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
      const float4 v = __ldcg(in + i);
      sum += v.x + v.y + v.z + v.w;
    }
  }
  if (sum == 1.2345f) *out = sum;
}

// Each lane accesses another line of 128 bytes.
__global__ void scattered_loads(const float* in, float* out, std::size_t count) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += threads)
    sum += __ldcg(in + i * 32);
  if (sum == 1.2345f) *out = sum;
}
__global__ void scattered_stores(float* out, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    out[i * 32] = 1;
}

__global__ void add_one_thread_each(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i] + b[i];
}

// ---- latency: a chain of loads, each of which gives the next address ----

__global__ void chase(const unsigned* next, int steps, long long* cycles, unsigned* sink) {
  unsigned at = 0;
  for (int i = 0; i < steps / 4; ++i) at = __ldcg(next + at);
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) at = __ldcg(next + at);
  *cycles = clock64() - begin;
  *sink = at;
}
__global__ void chase_l1(const unsigned* next, int steps, long long* cycles, unsigned* sink) {
  unsigned at = 0;
  for (int i = 0; i < steps; ++i) at = __ldca(next + at);
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) at = __ldca(next + at);
  *cycles = clock64() - begin;
  *sink = at;
}
__global__ void chase_shared(int steps, long long* cycles, unsigned* sink) {
  __shared__ unsigned next[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) % 1024;
  __syncthreads();
  unsigned at = 0;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) at = next[at];
  if (threadIdx.x == 0) *cycles = clock64() - begin, *sink = at;
}

double chase_cycles(std::size_t bytes, bool through_l1) {
  const std::size_t count = bytes / 4, stride = 32;
  std::vector<unsigned> order(count / stride);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937{1});
  std::vector<unsigned> next(count);
  for (std::size_t i = 0; i < order.size(); ++i)
    next[order[i] * stride] = static_cast<unsigned>(order[(i + 1) % order.size()] * stride);
  array<unsigned> on_device(count), sink(1);
  array<long long> cycles(1);
  CHECK(cudaMemcpy(on_device.data, next.data(), bytes, cudaMemcpyHostToDevice));
  const int steps = quick ? 16 : 4096;
  if (through_l1)
    chase_l1<<<1, 1>>>(on_device.data, steps, cycles.data, sink.data);
  else
    chase<<<1, 1>>>(on_device.data, steps, cycles.data, sink.data);
  long long taken = 0;
  CHECK(cudaMemcpy(&taken, cycles.data, sizeof taken, cudaMemcpyDeviceToHost));
  return static_cast<double>(taken) / steps;
}

double shared_cycles() {
  array<long long> cycles(1);
  array<unsigned> sink(1);
  const int steps = quick ? 16 : 4096;
  chase_shared<<<1, 32>>>(steps, cycles.data, sink.data);
  long long taken = 0;
  CHECK(cudaMemcpy(&taken, cycles.data, sizeof taken, cudaMemcpyDeviceToHost));
  return static_cast<double>(taken) / steps;
}

// ---- one multiprocessor: cycles per warp instruction, with every warp slot that a block of 1024 threads fills ----

__global__ void multiply_adds(int steps, float x, float* sink, long long* cycles) {
  float a[8];
  for (int j = 0; j < 8; ++j) a[j] = static_cast<float>(threadIdx.x + static_cast<unsigned>(j));
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) a[j] = a[j] * x + x;
  __syncthreads();
  const long long taken = clock64() - begin;
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += a[j];
  if (sum == 1.2345f) *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}
__global__ void integer_adds(int steps, int x, int* sink, long long* cycles) {
  int a[8];
  for (int j = 0; j < 8; ++j) a[j] = static_cast<int>(threadIdx.x) + j;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) a[j] = (a[j] ^ x) + a[(j + 1) % 8];
  __syncthreads();
  const long long taken = clock64() - begin;
  int sum = 0;
  for (int j = 0; j < 8; ++j) sum += a[j];
  if (sum == 12345) *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}
__global__ void multiply_add_chain(int steps, float x, float* sink, long long* cycles) {
  float a = x;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) a = a * x + x;
  const long long taken = clock64() - begin;
  if (a == 1.2345f) *sink = a;
  *cycles = taken;
}
// stride 1: no conflict; 2: two words of a bank; 32: all lanes in one bank
__global__ void shared_loads(int steps, int stride, float* sink, long long* cycles) {
  __shared__ volatile float words[32 * 33];
  for (unsigned i = threadIdx.x; i < 32 * 33; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x % 32) * stride % (32 * 32);
  float sum = 0;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += words[mine + j];
  __syncthreads();
  const long long taken = clock64() - begin;
  if (sum == 1.2345f) *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}
__global__ void l1_loads(const float* in, int steps, float* sink, long long* cycles) {
  float sum = 0;
  const float* const mine = in + threadIdx.x % 32;
  for (int j = 0; j < 8; ++j) sum += __ldca(mine + 32 * j);
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += __ldca(mine + 32 * ((i + j) & 31));
  __syncthreads();
  const long long taken = clock64() - begin;
  if (sum == 1.2345f) *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}
__global__ void barriers(int steps, long long* cycles) {
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) __syncthreads();
  const long long taken = clock64() - begin;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}
__constant__ float table[256];
__global__ void constant_loads(int steps, float* sink, long long* cycles) {
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += table[j];
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += table[(i * 8 + j) & 255];
  __syncthreads();
  const long long taken = clock64() - begin;
  if (sum == 1.2345f) *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken;
}

// ---- atomics ----

__global__ void atomics(int* at, unsigned addresses, unsigned stride, int steps) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) % addresses * stride;
  for (int s = 0; s < steps; ++s) atomicAdd(at + i, 1);
}
// Lanes of a warp have different addresses, and all warps the same ones: the compiler cannot sum a warp first.
__global__ void atomics_of_lanes(int* at, int steps) {
  for (int s = 0; s < steps; ++s) atomicAdd(at + threadIdx.x % 32 * 64, 1);
}
__global__ void shared_atomics(int steps, int mask, int* sink, long long* cycles) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
    atomicAdd(&bins[threadIdx.x & static_cast<unsigned>(mask)], static_cast<int>(threadIdx.x));
  __syncthreads();
  const long long taken = clock64() - begin;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = taken, *sink = bins[0];
}

// ---- launches ----

__global__ void nothing(int never) {
  if (never == 12345) __nanosleep(1);
}

// Runs a kernel that writes its cycles, and returns them.
double cycles_of(const std::function<void(long long*)>& run) {
  array<long long> cycles(1);
  run(cycles.data);
  run(cycles.data);
  long long taken = 0;
  CHECK(cudaMemcpy(&taken, cycles.data, sizeof taken, cudaMemcpyDeviceToHost));
  CHECK(cudaGetLastError());
  return static_cast<double>(taken);
}

bool first_line = true;
void print(const char* name, double value) {
  std::printf("%s\n  \"%s\": %.6g", first_line ? "" : ",", name, value);
  first_line = false;
}

void measure_memory() {
  const std::size_t bytes = quick ? 1 << 16 : 1ull << 30, count = bytes / 16;
  array<float4> in(count), out(count);
  const int blocks = quick ? 4 : multiprocessors * 16;
  print("copy_gbytes_per_s",
        2e-9 * static_cast<double>(bytes) / seconds([&] { copy<<<blocks, 256>>>(in.data, out.data, count); }));
  auto* const sink = reinterpret_cast<float*>(out.data);
  print("read_gbytes_per_s",
        1e-9 * static_cast<double>(bytes) / seconds([&] { read_all<<<blocks, 256>>>(in.data, sink, count, 1); }));
  const std::size_t in_l2 = (quick ? 1 << 14 : 16 << 20) / 16;
  const int passes = quick ? 2 : 20;
  print("l2_gbytes_per_s", 1e-9 * 16 * static_cast<double>(in_l2) * passes /
                               seconds([&] { read_all<<<blocks, 256>>>(in.data, sink, in_l2, passes); }));
  const auto lines = [&](std::size_t of_bytes) { return of_bytes / 128; };
  const double scattered = static_cast<double>(lines(bytes));
  auto* const floats = reinterpret_cast<float*>(in.data);
  print("scattered_loads_g_per_s",
        1e-9 * scattered / seconds([&] { scattered_loads<<<blocks, 256>>>(floats, sink, lines(bytes)); }));
  print("scattered_stores_g_per_s",
        1e-9 * scattered / seconds([&] { scattered_stores<<<blocks, 256>>>(floats, lines(bytes)); }));
  const std::size_t small = lines(quick ? 1 << 14 : 16 << 20);
  print("scattered_l2_stores_g_per_s",
        1e-9 * static_cast<double>(small) / seconds([&] { scattered_stores<<<blocks, 256>>>(floats, small); }));
  print("scattered_l2_loads_g_per_s",
        1e-9 * static_cast<double>(small) / seconds([&] { scattered_loads<<<blocks, 256>>>(floats, sink, small); }));
  // Short cold vector additions show how device memory gets up to speed.
  auto* const a = reinterpret_cast<float*>(in.data);
  auto* const b = reinterpret_cast<float*>(out.data);
  for (int n = 1 << 10; n <= (quick ? 1 << 10 : 1 << 24); n *= 4) {
    const std::string name = "cold_add_" + std::to_string(n) + "_us";
    const auto flush = [&] { CHECK(cudaMemset(reinterpret_cast<char*>(in.data) + bytes / 2, 0, bytes / 2)); };
    print(name.c_str(),
          1e6 * seconds([&] { add_one_thread_each<<<(n + 255) / 256, 256>>>(a, a + n, b, n); }, 9, flush));
  }
}

void measure_latency() {
  print("l1_latency_cycles", chase_cycles(quick ? 1 << 12 : 16 << 10, true));
  print("l2_latency_cycles", chase_cycles(quick ? 1 << 12 : 4 << 20, false));
  print("dram_latency_cycles", chase_cycles(quick ? 1 << 14 : 512 << 20, false));
  print("shared_latency_cycles", shared_cycles());
}

void measure_multiprocessor() {
  array<float> sink(4096);
  array<int> number(1);
  const int steps = quick ? 2 : 2000;
  const double warps = 32, instructions = 8.0 * steps * warps;  // of one block of 1024 threads
  const auto rate = [&](const char* name, const std::function<void(long long*)>& run) {
    print(name, cycles_of(run) / instructions);
  };
  rate("cycles_per_fma", [&](long long* c) { multiply_adds<<<multiprocessors, 1024>>>(steps, 0.5f, sink.data, c); });
  rate("cycles_per_pair_of_integer_operations",
       [&](long long* c) { integer_adds<<<multiprocessors, 1024>>>(steps, 7, number.data, c); });
  rate("cycles_per_shared_load",
       [&](long long* c) { shared_loads<<<multiprocessors, 1024>>>(steps, 1, sink.data, c); });
  rate("cycles_per_shared_load_2_way",
       [&](long long* c) { shared_loads<<<multiprocessors, 1024>>>(steps, 2, sink.data, c); });
  rate("cycles_per_shared_load_32_way",
       [&](long long* c) { shared_loads<<<multiprocessors, 1024>>>(steps, 32, sink.data, c); });
  rate("cycles_per_l1_load",
       [&](long long* c) { l1_loads<<<multiprocessors, 1024>>>(sink.data, steps, sink.data, c); });
  rate("cycles_per_constant_load",
       [&](long long* c) { constant_loads<<<multiprocessors, 1024>>>(steps, sink.data, c); });
  print("fma_latency_cycles",
        cycles_of([&](long long* c) { multiply_add_chain<<<1, 1>>>(steps, 0.5f, sink.data, c); }) / (8.0 * steps));
  for (const int threads : {64, 256, 1024}) {
    const std::string name = "barrier_cycles_" + std::to_string(threads);
    print(name.c_str(), cycles_of([&](long long* c) { barriers<<<1, threads>>>(steps, c); }) / steps);
  }
  print("cycles_per_shared_atomic",
        cycles_of([&](long long* c) { shared_atomics<<<1, 1024>>>(steps, 31, number.data, c); }) / (steps * warps));
  print("cycles_per_shared_atomic_one_address",
        cycles_of([&](long long* c) { shared_atomics<<<1, 1024>>>(steps, 0, number.data, c); }) / (steps * warps));
  // The clock under load: cycles of a long kernel over its time.
  const int longer = quick ? 2 : 200000;
  double cycles = 0;
  const double s =
      seconds(
          [&] {
            cycles =
                cycles_of([&](long long* c) { multiply_adds<<<multiprocessors, 1024>>>(longer, 0.5f, sink.data, c); });
          },
          3) /
      2;
  print("multiprocessor_mhz", cycles / s / 1e6);
}

void measure_atomics() {
  array<int> at(1 << 22);
  const int blocks = quick ? 2 : multiprocessors * 4, threads = 256, steps = quick ? 1 : 64;
  const double all = double(blocks) * threads * steps;
  print("atomics_distinct_g_per_s",
        1e-9 * all / seconds([&] { atomics<<<blocks, threads>>>(at.data, 1u << 22, 1, steps); }));
  print("atomics_32_addresses_g_per_s",
        1e-9 * all / seconds([&] { atomics_of_lanes<<<blocks, threads>>>(at.data, steps); }));
  print("atomics_one_address_g_per_s",
        1e-9 * all / seconds([&] { atomics<<<blocks, threads>>>(at.data, 1, 1, steps); }));
}

void measure_launches() {
  const double pair = seconds([] {}, 31), one = seconds([] { nothing<<<1, 32>>>(0); }, 31);
  const int more = quick ? 2 : 21;
  const double many = seconds(
      [&] {
        for (int i = 0; i < more; ++i) nothing<<<1, 32>>>(0);
      },
      15);
  print("empty_pair_us", 1e6 * pair);
  print("first_launch_us", 1e6 * (one - pair));
  print("further_launch_us", 1e6 * (many - one) / (more - 1));
  for (const int threads : {32, 128, 256, 512, 1024}) {
    const int blocks = quick ? 4 : multiprocessors * 512;
    const std::string name = "block_launch_ns_per_multiprocessor_" + std::to_string(threads);
    print(name.c_str(), 1e9 * (seconds([&] { nothing<<<blocks, threads>>>(0); }) - one) / 512);
  }
}

}  // namespace

int main(int count, char** arguments) {
  quick = count > 1 && !std::strcmp(arguments[1], "--quick");
  cudaDeviceProp device{};
  CHECK(cudaGetDeviceProperties(&device, 0));
  multiprocessors = quick ? 2 : device.multiProcessorCount;
  std::printf("{\n  \"name\": \"%s\",\n  \"multiprocessors\": %d,\n  \"l2_mbytes\": %.1f,\n  \"values\": {",
              device.name, device.multiProcessorCount, device.l2CacheSize / 1048576.0);
  measure_launches();
  measure_memory();
  measure_latency();
  measure_multiprocessor();
  measure_atomics();
  std::printf("\n  }\n}\n");
}
