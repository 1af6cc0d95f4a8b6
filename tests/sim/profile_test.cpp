#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;
using nlohmann::json;

namespace {

const char* const program = R"(#include <cooperative_groups.h>
__global__ void half_a_warp(int* d) {
  if (threadIdx.x % 2 == 0) d[threadIdx.x] = 1;
}
__global__ void waits(int* d) {
  __shared__ int s[3000];
  s[threadIdx.x] = d[threadIdx.x];
  for (int i = 0; i < 3; ++i) __syncthreads();
  __syncwarp();
  d[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void count(int* d) {
  atomicAdd(&d[0], 1);
  atomicAdd(&d[1 + threadIdx.x % 4], 1);
}
__global__ void together(int* d) {
  __syncthreads();
  cooperative_groups::this_grid().sync();
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 10000 * sizeof(int));
  cudaMemset(d, 0, 10000 * sizeof(int));
  half_a_warp<<<1, 48>>>(d);
  waits<<<2000, 64, 20000>>>(d);
  count<<<2, 64>>>(d);
  void* arguments[] = {&d};
  cudaLaunchCooperativeKernel(together, 3, 64, arguments);
}
)";

json report(const std::string& settings, const std::string& source) {
  const folder f;
  f.write("k.cu", source);
  run("cd " + f.path.string() + " && " + LABCC + " --trace k.cu -o k && " + settings + " LAB_SIM_JSON=r ./k");
  return json::parse(contents(f.path / "r"));
}

json launches(const std::string& settings = "", const std::string& source = program) {
  return report(settings, source)["launches"];
}

}  // namespace

TEST_CASE("a launch's profile says how many lanes work, how often threads wait and where atomics meet") {
  const auto all = launches();
  REQUIRE(all.size() == 4);
  CHECK(all[0]["warp_execution_efficiency"] == 0.375);  // 24 of 64 lanes
  CHECK(all[0]["lines"][0]["lanes"] == 24);
  CHECK(all[0]["atomics"].empty());
  CHECK_FALSE(all[0].contains("busiest_atomic"));
  CHECK(all[1]["barriers"]["block"] == 3 * 2000);
  CHECK(all[1]["barriers"]["warp"] == 2 * 2000);
  CHECK(all[1]["warp_execution_efficiency"] == 1);
  CHECK(all[3]["barriers"] == json{{"block", 3}, {"warp", 0}, {"grid", 1}});
  const auto& atomics = all[2]["atomics"];
  REQUIRE(atomics.size() == 2);
  CHECK(atomics[0] == json{{"file", "k.cu"},
                           {"line", 13},
                           {"space", "global"},
                           {"requests", 4},
                           {"lanes", 128},
                           {"addresses", 4},
                           {"most_lanes_at_one_address", 32}});
  CHECK(atomics[1]["addresses"] == 16);
  CHECK(atomics[1]["most_lanes_at_one_address"] == 8);
  CHECK(all[2]["busiest_atomic"]["atomics"] == 128);
  CHECK(all[2]["busiest_atomic"]["where"].get<std::string>().find("byte 0 of allocation 1") == 0);
}

TEST_CASE("a launch's profile says how many blocks fit on the device and what allows no more") {
  const auto all = launches();
  CHECK(all[0]["occupancy"]["limiter"] == "grid");
  const auto& shared = all[1]["occupancy"];
  CHECK(shared["limiter"] == "shared_memory");
  CHECK(shared["static_shared_bytes"] == 12000);
  CHECK(shared["dynamic_shared_bytes"] == 20000);
  CHECK(shared["blocks_per_multiprocessor"] == 7);  // 33,024 bytes each, with what is reserved, of 233,472
  CHECK(shared["limit_warps"] == 32);
  CHECK(shared["limit_blocks"] == 32);
  CHECK(shared["limit_registers"].is_null());
  CHECK(shared["theoretical"] == 0.2188);
  const auto smaller = launches("LAB_SIM_DEVICE=t4")[1]["occupancy"];
  CHECK(smaller["blocks_per_multiprocessor"] == 2);
  CHECK(smaller["theoretical"] == 0.125);
}

TEST_CASE("a launch's profile says that a barrier in a loop is executed more than once") {
  const auto barriers = [](const json& launch) {
    std::vector<bool> repeated;
    for (const auto& place : launch["executed"])
      if (place["op"] == "barrier") repeated.push_back(place["repeated"]);
    return repeated;
  };
  const auto all = launches();
  CHECK(barriers(all[1]).front());
  CHECK(barriers(all[3]) == std::vector<bool>{false, false});
}

TEST_CASE("a sampled profile counts four neighbouring loads of shared memory as one, as nvcc merges them") {
  const auto all = launches("LAB_SIM_SAMPLE=1", R"(__global__ void sum(float* d) {
  __shared__ float s[128];
  for (int i = 0; i < 4; ++i) s[32 * i + threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  float all = 0;
  for (int i = 0; i < 4; ++i)
    all += s[4 * threadIdx.x + i];
  for (int i = 0; i < 4; ++i)
    all += s[32 * i + threadIdx.x];
  d[threadIdx.x] = all;
}
int main() {
  float* d;
  cudaMalloc(&d, 128);
  cudaMemset(d, 0, 128);
  sum<<<1, 32>>>(d);
}
)");
  const auto load_at = [&](int line) {
    for (const auto& one : all[0]["lines"])
      if (one["line"] == line && one["op"] == "load" && one["space"] == "shared") return one;
    return json{};
  };
  const auto neighbours = load_at(7), apart = load_at(9);
  CHECK(neighbours["requests"] == 4);
  CHECK(neighbours["wavefronts"] == 16);
  CHECK(neighbours["merged_requests"] == 1);
  CHECK(neighbours["merged_wavefronts"] == 4);
  CHECK(apart["merged_requests"] == 4);
  CHECK(apart["merged_wavefronts"] == 4);
}

// Blocks that do not run leave memory without values, and shadow memory takes eleven times the memory of the arrays.
TEST_CASE("a sampled run counts what a whole run counts, and checks nothing") {
  const std::string races = R"(__global__ void reverse(float* d) {
  __shared__ float s[64];
  s[threadIdx.x] = d[threadIdx.x];
  d[threadIdx.x] = s[63 - threadIdx.x];
  atomicAdd(d + 64, 1.0f);
}
int main() {
  float* d;
  cudaMalloc(&d, 65 * 4);
  reverse<<<1, 64>>>(d);
  cudaFree(d);
}
)";
  const auto whole = report("", races), sampled = report("LAB_SIM_SAMPLE=1", races);
  CHECK(whole["hazards"].size() >= 2);
  CHECK(sampled["hazards"].empty());
  const auto &all = whole["launches"][0]["lines"], &some = sampled["launches"][0]["lines"];
  REQUIRE(all.size() == some.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const char* count : {"line", "op", "space", "requests", "sectors", "wavefronts", "lanes"})
      CHECK(all[i][count] == some[i][count]);
}

TEST_CASE("neighbouring loads do not merge where a row of the array begins at no multiple of 16 bytes") {
  const auto all = launches("LAB_SIM_SAMPLE=1", R"(__global__ void sum(float* d) {
  __shared__ float s[32][9];
  for (int i = 0; i < 9; ++i) s[threadIdx.x][i] = d[32 * threadIdx.x + i];
  __syncthreads();
  float all = 0;
  for (int i = 0; i < 8; ++i)
    all += s[threadIdx.y][i];
  d[threadIdx.x + 32 * threadIdx.y] = all;
}
int main() {
  float* d;
  cudaMalloc(&d, 32 * 32 * 4);
  cudaMemset(d, 0, 32 * 32 * 4);
  sum<<<1, dim3(32, 4)>>>(d);
}
)");
  const auto at = [&](int line, const char* op) {
    for (const auto& one : all[0]["lines"])
      if (one["line"] == line && one["op"] == op) return one;
    return json{};
  };
  // Row 0 of the array is aligned, the rows of the other warps are not.
  CHECK(at(7, "load")["requests"] == 4 * 8);
  CHECK(at(7, "load")["merged_requests"] == 4 * 8);
  // Each lane loads from a line of its own; then a warp stores a whole line.
  CHECK(at(3, "load")["cache_lines"] == 4 * 9 * 32);
  CHECK(at(8, "store")["cache_lines"] == 4);
}

TEST_CASE("a line's sample holds what the lanes of one full warp access") {
  const auto all = launches();
  const auto& half = all[0]["lines"][0]["sample"];
  CHECK(half["bytes"] == 4);
  REQUIRE(half["offsets"].size() == 32);
  CHECK(half["offsets"][2] == 8);
  CHECK(half["offsets"][31].is_null());
  for (const auto& line : all[1]["lines"]) {
    const bool backwards = line["op"] == "load" && line["space"] == "shared";
    CHECK(line["sample"]["offsets"][0] == (backwards ? 124 : 0));
    CHECK(line["sample"]["offsets"][31] == (backwards ? 0 : 124));
  }
}

TEST_CASE("a launch's profile says how many kernels may run at the same time: those that no stream or event orders") {
  const auto all = launches("", R"(__global__ void step(int* d) { d[0] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 8 * sizeof(int));
  cudaStream_t s[3];
  for (auto& one : s) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (int i = 0; i < 3; ++i) step<<<1, 1, 0, s[i]>>>(d + i);  // 1, 2, 3
  step<<<1, 1, 0, s[2]>>>(d + 2);                              // follows one of them
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaEventRecord(e, s[0]);
  cudaStreamWaitEvent(s[1], e, 0);
  step<<<1, 1, 0, s[1]>>>(d + 3);  // follows two of them, and not the two in s[2]
  cudaDeviceSynchronize();
  step<<<1, 1>>>(d + 4);  // follows all
})");
  REQUIRE(all.size() == 6);
  for (std::size_t i = 0; const int expected : {1, 2, 3, 3, 3, 1}) {
    INFO("launch " << i);
    CHECK(all[i++]["concurrent_launches"] == expected);
  }
}

TEST_CASE("a kernel in the default stream orders the blocking streams around it") {
  const auto all = launches("", R"(__global__ void step(int* d) { d[0] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 8 * sizeof(int));
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  step<<<1, 1, 0, s[0]>>>(d);
  step<<<1, 1, 0, s[1]>>>(d + 1);
  step<<<1, 1>>>(d + 2);
  step<<<1, 1, 0, s[0]>>>(d + 3);
})");
  REQUIRE(all.size() == 4);
  for (std::size_t i = 0; const int expected : {1, 2, 1, 1}) CHECK(all[i++]["concurrent_launches"] == expected);
}

namespace {

// Each block of the first launch loads as often, the blocks of the second launch do not, and those of the third meet at
// one address.
const char* const long_blocks = R"(__global__ void alike(int* d) {
  int sum = 0;
  for (int i = 0; i < 50; ++i) sum += d[32 * i + threadIdx.x];
  d[2048 + 32 * blockIdx.x + threadIdx.x] = sum;
}
__global__ void different(int* d) {
  for (int i = 0; i < blockIdx.x; ++i) d[2048 + 32 * blockIdx.x + threadIdx.x] += d[32 * i + threadIdx.x];
}
__global__ void together(int* d) { atomicAdd(d, 1); }
int main() {
  int* d;
  cudaMalloc(&d, 8192 * sizeof(int));
  cudaMemset(d, 0, 8192 * sizeof(int));
  alike<<<100, 32>>>(d);
  different<<<100, 32>>>(d);
  together<<<100, 32>>>(d);
  cudaFree(d);
}
)";

std::vector<int> blocks_run(const json& launches) {
  std::vector<int> all;
  for (const auto& one : launches) all.push_back(one["blocks_run"]);
  return all;
}

}  // namespace

TEST_CASE("a sample has no more blocks than it needs if the first of them count the same") {
  const auto few = launches("LAB_SIM_SAMPLE=0.001", long_blocks), more = launches("LAB_SIM_SAMPLE=0.03", long_blocks),
             many = launches("LAB_SIM_SAMPLE=0.2", long_blocks);
  CHECK(blocks_run(few) == std::vector{2, 6, 6});
  CHECK(blocks_run(more) == std::vector{3, 6, 6});
  CHECK(blocks_run(many) == std::vector{20, 20, 20});
  CHECK(blocks_run(launches("LAB_SIM_SAMPLE=0.001 LAB_SIM_BLOCKS=9,4", long_blocks)) == std::vector{6, 4, 6});
  // Two blocks count for all.
  for (const auto& line : few[0]["lines"])
    for (const auto& same : many[0]["lines"])
      if (line["line"] == same["line"] && line["op"] == same["op"])
        for (const char* count : {"requests", "sectors", "wavefronts", "lanes", "cache_lines"})
          CHECK(line[count].get<int>() * 10 == same[count].get<int>());
}

TEST_CASE("a fast run of a sample runs the blocks that a traced one ran") {
  const folder f;
  f.write("k.cu", R"(#include <cstdio>
__global__ void count(int* d) { d[blockIdx.x] = 1; }
int ran(int* d) {
  int host[1000] = {}, sum = 0;
  cudaMemset(d, 0, sizeof host);
  count<<<1000, 1>>>(d);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int one : host) sum += one;
  return sum;
}
int main() {
  int* d;
  cudaMalloc(&d, 4000);
  const int first = ran(d), second = ran(d), third = ran(d);
  printf("%d %d %d", first, second, third);
}
)");
  const auto said =
      run("cd " + f.path.string() + " && " + LABCC + " k.cu -o k && LAB_SIM_SAMPLE=0.001 LAB_SIM_BLOCKS=2,6 ./k");
  CHECK(said.out == "2 6 6");
}

TEST_CASE("of launches in several streams, a sample runs no block beside another launch") {
  const auto all = launches("LAB_SIM_SAMPLE=0.001", R"(__global__ void step(int* d) { d[blockIdx.x] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 800 * sizeof(int));
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  step<<<100, 1, 0, s[0]>>>(d);
  step<<<100, 1, 0, s[1]>>>(d + 100);
  for (auto& one : s) cudaStreamDestroy(one);
  cudaFree(d);
}
)");
  CHECK(blocks_run(all) == std::vector{2, 0});
}

TEST_CASE("without a sample all blocks run, in any order") {
  for (const char* settings : {"", "LAB_SIM_SEED=5", "LAB_SIM_BLOCKS=2", "LAB_SIM_SEED=5 LAB_SIM_BLOCKS=2"})
    CHECK(blocks_run(launches(settings, long_blocks)) == std::vector{100, 100, 100});
}

// The threads of a warp go on together after each kind of barrier.
TEST_CASE("stores after a phase of an mbarrier and after a cluster's barrier count as those after __syncthreads()") {
  const auto all = launches("", R"(#include <cooperative_groups.h>
#include <cstdint>
__global__ void of_block(int* d) {
  __syncthreads();
  d[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void __cluster_dims__(2) of_cluster(int* d) {
  cooperative_groups::this_cluster().sync();
  d[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void of_phase(int* d) {
  __shared__ std::uint64_t barrier;
  const unsigned place = __cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(place));
  __syncthreads();
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(place));
  for (unsigned over = 0; !over;)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(over)
                 : "r"(place));
  d[blockIdx.x * 32 + threadIdx.x] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 512);
  of_block<<<4, 32>>>(d);
  of_cluster<<<4, 32>>>(d);
  of_phase<<<4, 32>>>(d);
}
)");
  REQUIRE(all.size() == 3);
  for (const auto& one : all) {
    INFO(one["kernel"]);
    const auto& line = one["lines"].back();
    CHECK(line["requests"] == 4);
    CHECK(line["sectors"] == 16);
  }
}
