#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "run.hpp"

// Arrivals at a barrier in shared memory that follow a thread's copies (cp.async.mbarrier.arrive), and what the tracer
// says where a wait or a fence is missing.

using namespace lab::test;
using nlohmann::json;

namespace {

// 128 threads copy 128 x 16 bytes. Each waits for all and reads what another one copied; or the tensor cores do.
const char* const program = R"(
__device__ unsigned address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void wait(unsigned long long* barrier) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{\n.reg .pred over;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], 0;\n"
        "selp.u32 %0, 1, 0, over;\n}"
        : "=r"(over)
        : "r"(address(barrier))
        : "memory");
}
__device__ float product(const void* tile) {
  const unsigned long long at = address(tile) >> 4 | 8ull << 16 | 16ull << 32;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(at), "l"(at));
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  return s0 + s1 + s2 + s3;
}
__global__ void copies(const uint4* from, float* to) {
  extern __shared__ uint4 tile[];  // where the descriptors of products reach
  __shared__ unsigned long long barrier;
  const int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(address(&barrier)) : "memory");
  __syncthreads();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(&tile[t])), "l"(from + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address(&barrier)) : "memory");
  BEFORE_READING;
  to[t] = READ;
}
int main() {
  uint4* from;
  float* to;
  cudaMalloc(&from, 128 * sizeof(uint4));
  cudaMalloc(&to, 128 * sizeof(float));
  cudaMemset(from, 0, 128 * sizeof(uint4));
  copies<<<1, 128, 128 * sizeof(uint4)>>>(from, to);
  cudaDeviceSynchronize();
}
)";

json hazards_with(const std::string& before_reading, const std::string& read) {
  const folder scratch;
  const std::string macros = "#define BEFORE_READING " + before_reading + "\n#define READ " + read + "\n";
  return json::parse(traced(scratch.write("k.cu", macros + program)))["hazards"];
}

const std::string another = "float(tile[127 - t].x)", fence = "asm volatile(\"fence.proxy.async;\")";

}  // namespace

TEST_CASE("a thread that has waited for the arrivals may read what other threads copied") {
  CHECK(hazards_with("wait(&barrier)", another).empty());
}

TEST_CASE("a thread that has not waited for the arrivals reads what a copy may still write") {
  const auto found = hazards_with("__syncthreads()", another);  // all have begun
  REQUIRE(found.size() == 2);
  CHECK(found[0]["kind"] == "race");
  CHECK(found[0]["message"].get<std::string>().find("nor this one for a barrier at which it arrives") !=
        std::string::npos);
  CHECK(found[1]["kind"] == "uninitialized_read");
}

TEST_CASE("a product reads what threads copied after a fence of the thread that has waited, not without one") {
  CHECK(hazards_with("wait(&barrier); " + fence, "product(tile)").empty());
  const auto found = hazards_with("wait(&barrier)", "product(tile)");
  REQUIRE(found.size() == 1);
  CHECK(found[0]["message"].get<std::string>().find("no fence.proxy.async") != std::string::npos);
}
