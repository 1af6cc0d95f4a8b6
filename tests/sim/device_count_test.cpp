#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

constexpr auto two_devices = R"(#include <cstdio>
__global__ void twice(int* to, const int* from) {
  to[threadIdx.x] = 2 * from[threadIdx.x];
}
int main(int argc, char**) {
  int count, can, *p[2], own[32], result[32] = {};
  cudaGetDeviceCount(&count);
  std::printf("%d devices\n", count);
  for (int i = 0; i < 32; ++i) own[i] = i;
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaMalloc(&p[d], sizeof own);
  }
  cudaPointerAttributes a;
  cudaPointerGetAttributes(&a, p[1]);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  std::printf("memory of device %d, can access %d\n", a.device, can);
  cudaMemcpy(p[0], own, sizeof own, cudaMemcpyHostToDevice);
  cudaMemcpyPeer(p[1], 1, p[0], 0, sizeof own);
  twice<<<1, 32>>>(p[1], p[1]);
  cudaMemcpy(result, p[1], sizeof own, cudaMemcpyDeviceToHost);
  std::printf("copied and computed %d\n", result[7]);
  cudaStream_t of_1;
  cudaStreamCreate(&of_1);
  cudaSetDevice(0);
  twice<<<1, 32, 0, of_1>>>(p[0], p[0]);
  std::printf("stream of another device: %s\n", cudaGetErrorName(cudaGetLastError()));
  if (argc == 1) {
    const cudaError_t first = cudaDeviceEnablePeerAccess(1, 0), second = cudaDeviceEnablePeerAccess(1, 0);
    std::printf("%s, %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
    cudaGetLastError();
  }
  twice<<<1, 32>>>(p[0], p[1]);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(result, p[0], sizeof own, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result[7]);
}
)";

const std::string begin =
    "2 devices\nmemory of device 1, can access 1\ncopied and computed 14\n"
    "stream of another device: cudaErrorInvalidResourceHandle\n";

}  // namespace

TEST_CASE("two devices have memory and streams of their own, and access each other's memory if allowed") {
  const folder f;
  f.write("k.cu", two_devices);
  const std::string program = (f.path / "k").string();
  const auto built = run(std::string{LABCC} + " " + (f.path / "k.cu").string() + " -o " + program);
  INFO(built.out);
  REQUIRE(built.status == 0);
  CHECK(run("LAB_SIM_DEVICES=2 " + program).out ==
        begin + "cudaSuccess, cudaErrorPeerAccessAlreadyEnabled\ncudaSuccess\n28\n");
  CHECK(run("LAB_SIM_DEVICES=2 " + program + " without").out == begin + "cudaErrorIllegalAddress\n14\n");
  CHECK(run(program).out.find("1 devices") == 0);
}

TEST_CASE("an access to another device's memory without peer access is a hazard at its line") {
  const folder f;
  f.write("k.cu", two_devices);
  const std::string program = (f.path / "k").string();
  REQUIRE(run(std::string{LABCC} + " --trace " + (f.path / "k.cu").string() + " -o " + program).status == 0);
  const auto refused = run("LAB_SIM_DEVICES=2 " + program + " without");
  INFO(refused.out);
  CHECK(refused.out.find("k.cu:3: error: out_of_bounds in twice") != std::string::npos);
  CHECK(refused.out.find("device 0 has no peer access") != std::string::npos);
  const auto allowed = run("LAB_SIM_DEVICES=2 " + program);
  INFO(allowed.out);
  CHECK(allowed.out.find("out_of_bounds") == std::string::npos);
}

TEST_CASE("a thread copies to a device while a kernel of another one runs") {
  const folder f;
  f.write("k.cu", R"(#include <cstdio>
#include <thread>
__global__ void add(int* to) { atomicAdd(to, threadIdx.x); }
int main() {
  int* p[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaMalloc(&p[d], 4096);
  }
  bool done = false;
  std::thread other{[&] {
    cudaSetDevice(0);
    for (int i = 0; i < 4000; ++i) add<<<8, 64>>>(p[0]);
    cudaDeviceSynchronize();
    __atomic_store_n(&done, true, __ATOMIC_RELEASE);
  }};
  int numbers[1024] = {};
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) cudaMemcpy(p[1], numbers, sizeof numbers, cudaMemcpyHostToDevice);
  other.join();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)");
  const std::string program = (f.path / "k").string();
  REQUIRE(run(std::string{LABCC} + " " + (f.path / "k.cu").string() + " -o " + program).status == 0);
  const auto ran = run("LAB_SIM_DEVICES=2 " + program);
  CHECK(ran.status == 0);
  CHECK(ran.out == "cudaSuccess\n");
}
