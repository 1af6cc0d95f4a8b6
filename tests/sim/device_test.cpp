#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

const char* const asks = R"(#include <cstdio>
__global__ void k(int* p) { __shared__ int s[8192]; s[threadIdx.x] = *p; *p = s[0]; }
int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
  const cudaError_t large = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 * 1024);
  std::printf("%d.%d %d multiprocessors, %d threads, %d blocks, %s\n", p.major, p.minor, p.multiProcessorCount,
              p.maxThreadsPerMultiProcessor, blocks, cudaGetErrorName(large));
}
)";

}  // namespace

TEST_CASE("LAB_SIM_DEVICE chooses the device that properties, limits and occupancy describe") {
  const folder f;
  f.write("asks.cu", asks);
  REQUIRE(run("cd " + f.path.string() + " && " + LABCC + " asks.cu -o asks").status == 0);
  const auto on = [&](const std::string& settings) {
    return run("cd " + f.path.string() + " && " + settings + " ./asks");
  };
  CHECK(on("").out == "9.0 132 multiprocessors, 2048 threads, 6 blocks, cudaSuccess\n");
  CHECK(on("LAB_SIM_DEVICE=a100").out == "8.0 108 multiprocessors, 2048 threads, 4 blocks, cudaSuccess\n");
  CHECK(on("LAB_SIM_DEVICE=t4").out == "7.5 40 multiprocessors, 1024 threads, 2 blocks, cudaErrorInvalidValue\n");
  CHECK(on("LAB_SIM_DEVICE=rtx4090").out == "8.9 128 multiprocessors, 1536 threads, 3 blocks, cudaErrorInvalidValue\n");
  CHECK(on("LAB_SIM_DEVICE=voodoo").status == 2);
  CHECK(on("LAB_SIM_DEVICE=voodoo").out.find("there are h200") != std::string::npos);
}

TEST_CASE("a device of capability 8.0 or later keeps a part of L2 for windows of streams, an older one none") {
  const folder f;
  f.write("asks.cu", R"(#include <cstdio>
int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int most = -1, window = -1;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
  cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, 0);
  std::printf("%d %d %d\n", p.persistingL2CacheMaxSize, most, window == p.accessPolicyMaxWindowSize ? window : -1);
}
)");
  REQUIRE(run("cd " + f.path.string() + " && " + LABCC + " asks.cu -o asks").status == 0);
  const auto on = [&](const std::string& device) {
    return run("cd " + f.path.string() + " && LAB_SIM_DEVICE=" + device + " ./asks").out;
  };
  CHECK(on("a100") == "31457280 31457280 134217728\n");
  CHECK(on("t4") == "0 0 0\n");
}
