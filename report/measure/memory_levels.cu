// Measures a GPU's memories: the latency of a load by one thread, each load needing the one before, and the bandwidth of
// loads by all threads. Prints one JSON document (docs/schema/memory.json); report/record_memory.py builds, runs and
// keeps it.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <type_traits>
#include <vector>

constexpr int line = 128;  // bytes; each node of a chain has a cache line of its own
constexpr int repeats = 5;

static void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "memory_levels: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// Node i points to node (1664525 i + 1013904223) mod nodes, a power of two: one cycle through all nodes, in an order that no
// prefetcher follows.
__global__ void link(unsigned* chain, unsigned nodes) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < nodes; i += gridDim.x * blockDim.x)
    chain[static_cast<size_t>(i) * (line / 4)] = (i * 1664525u + 1013904223u) & (nodes - 1);
}

enum class through { l1, l2 };

template <through cache>
__global__ void chase(const unsigned* chain, int warm, int steps, unsigned* last, long long* cycles) {
  unsigned at = *last;
  const auto next = [&] {
    const unsigned* node = chain + static_cast<size_t>(at) * (line / 4);
    at = cache == through::l1 ? __ldca(node) : __ldcg(node);
  };
  for (int i = 0; i < warm; ++i) next();
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) next();
  *last = at;
  *cycles = clock64() - start;
}

__global__ void chase_shared(int steps, unsigned* last, long long* cycles) {
  __shared__ unsigned chain[1024];
  for (unsigned i = 0; i < 1024; ++i) chain[i] = (i * 5u + 3u) & 1023u;
  unsigned at = *last & 1023u;
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) at = chain[at];
  *last = at;
  *cycles = clock64() - start;
}

__global__ void chain_of_products(int steps, float* last, long long* cycles) {
  float x = *last;
  const long long start = clock64();
#pragma unroll 64
  for (int i = 0; i < steps; ++i) x = x * 0.5f + 1.0f;
  *last = x;
  *cycles = clock64() - start;
}

// Each block reads its part of `vectors` again and again; a part is small for L1, the whole buffer for L2.
template <through cache>
__global__ void read_all(const float4* from, size_t vectors, bool own_part, int rounds, float* out) {
  float sum = 0;
  const size_t first = own_part ? blockIdx.x * vectors : 0;
  const size_t start = own_part ? threadIdx.x : blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t step = own_part ? blockDim.x : static_cast<size_t>(gridDim.x) * blockDim.x;
  for (int round = 0; round < rounds; ++round)
#pragma unroll 8
    for (size_t i = start; i < vectors; i += step) {
      const float4 v = cache == through::l1 ? __ldca(from + first + i) : __ldcg(from + first + i);
      sum += v.x + v.y + v.z + v.w;
    }
  if (sum == 1.2345f) *out = sum;
}

__global__ void read_shared(int rounds, float* out) {
  __shared__ float4 tile[1024];
  tile[threadIdx.x] = float4{1, 2, 3, 4};
  __syncthreads();
  float sum = 0;
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
    const float4 v = tile[(threadIdx.x + 32 * round) & 1023];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.2345f) *out = sum;
}

static double milliseconds(const std::function<void()>& run) {
  cudaEvent_t start, stop;
  require(cudaEventCreate(&start));
  require(cudaEventCreate(&stop));
  std::vector<float> times;
  for (int i = 0; i < repeats; ++i) {
    require(cudaEventRecord(start));
    run();
    require(cudaEventRecord(stop));
    require(cudaEventSynchronize(stop));
    float ms = 0;
    require(cudaEventElapsedTime(&ms, start, stop));
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[repeats / 2];
}

struct scratch {
  unsigned* last;
  long long* cycles;
};

static void print_latency(const char* level, scratch at, int steps, const std::function<void()>& run, bool ends) {
  std::vector<long long> found;
  for (int i = 0; i < repeats; ++i) {
    run();
    long long cycles = 0;
    require(cudaMemcpy(&cycles, at.cycles, sizeof(cycles), cudaMemcpyDeviceToHost));
    found.push_back(cycles);
  }
  std::sort(found.begin(), found.end());
  std::printf("  {\"level\": \"%s\", \"cycles\": %.1f}%s\n", level, double(found[repeats / 2]) / steps, ends ? "" : ",");
}

static void print_bandwidth(const char* level, double bytes, const std::function<void()>& run, bool ends) {
  run();
  std::printf("  {\"level\": \"%s\", \"gbytes_per_s\": %.0f}%s\n", level, bytes / milliseconds(run) / 1e6,
              ends ? "" : ",");
}

int main() {
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0));
  int mhz = 0;
  require(cudaDeviceGetAttribute(&mhz, cudaDevAttrClockRate, 0));
  const int sms = device.multiProcessorCount;
  const size_t large = size_t{4} << 30;
  unsigned* memory = nullptr;
  scratch at{};
  require(cudaMalloc(&memory, large));
  require(cudaMemset(memory, 0, large));
  require(cudaMalloc(&at.last, sizeof(*at.last)));
  require(cudaMalloc(&at.cycles, sizeof(*at.cycles)));
  const auto restart = [&] { require(cudaMemset(at.last, 0, sizeof(*at.last))); };
  restart();

  std::printf("{\"device\": {\"name\": \"%s\", \"compute_capability\": \"%d.%d\", \"multiprocessors\": %d, \"mhz\": %d,\n"
              "  \"l2_bytes\": %d, \"memory_bytes\": %zu, \"registers_per_multiprocessor\": %d,\n"
              "  \"shared_bytes_per_multiprocessor\": %zu, \"shared_bytes_per_block\": %zu,\n"
              "  \"threads_per_multiprocessor\": %d, \"blocks_per_multiprocessor\": %d, \"constant_bytes\": %zu},\n",
              device.name, device.major, device.minor, sms, mhz / 1000, device.l2CacheSize, device.totalGlobalMem,
              device.regsPerMultiprocessor, device.sharedMemPerMultiprocessor, device.sharedMemPerBlockOptin,
              device.maxThreadsPerMultiProcessor, device.maxBlocksPerMultiProcessor, device.totalConstMem);

  std::printf(" \"latencies\": [\n");
  auto* value = reinterpret_cast<float*>(at.last);
  print_latency("registers", at, 1 << 16, [&] { chain_of_products<<<1, 1>>>(1 << 16, value, at.cycles); }, false);
  restart();
  print_latency("shared memory", at, 1 << 14, [&] { chase_shared<<<1, 1>>>(1 << 14, at.last, at.cycles); }, false);
  const auto chased = [&](auto cache, unsigned nodes, int warm, int steps) {
    link<<<1024, 256>>>(memory, nodes);
    restart();
    return [=] { chase<decltype(cache)::value><<<1, 1>>>(memory, warm, steps, at.last, at.cycles); };
  };
  using l1 = std::integral_constant<through, through::l1>;
  using l2 = std::integral_constant<through, through::l2>;
  const auto prepared = [&](const char* level, auto cache, unsigned nodes, int warm, int steps, bool ends) {
    const auto run = chased(cache, nodes, warm, steps);
    require(cudaDeviceSynchronize());
    print_latency(level, at, steps, run, ends);
  };
  prepared("L1", l1{}, 256, 512, 1 << 14, false);                          // 32 KB
  prepared("L2", l2{}, 1 << 16, 1 << 16, 1 << 14, false);                  // 8 MB
  prepared("memory", l2{}, static_cast<unsigned>(large / line / 4), 64, 1 << 14, true);  // 1 GB
  std::printf(" ],\n \"bandwidths\": [\n");

  const auto* from = reinterpret_cast<const float4*>(memory);
  auto* out = reinterpret_cast<float*>(at.last);
  const int rounds = 20000;
  print_bandwidth("shared memory", 16.0 * 1024 * sms * rounds, [&] { read_shared<<<sms, 1024>>>(rounds, out); }, false);
  const size_t part = 65536 / 16;  // 64 KB for each multiprocessor
  print_bandwidth("L1", 65536.0 * sms * 2000, [&] { read_all<through::l1><<<sms, 1024>>>(from, part, true, 2000, out); },
                  false);
  const size_t whole = (size_t{16} << 20) / 16;
  print_bandwidth("L2", 16.0 * whole * 200,
                  [&] { read_all<through::l2><<<2 * sms, 1024>>>(from, whole, false, 200, out); }, false);
  print_bandwidth("memory", double(large),
                  [&] { read_all<through::l2><<<2 * sms, 1024>>>(from, large / 16, false, 1, out); }, true);
  std::printf(" ]}\n");
  require(cudaDeviceSynchronize());
}
