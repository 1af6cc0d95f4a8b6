#include <dlfcn.h>
#include <lab_sim.h>

#include <string>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

TEST_CASE("a traced library that a program loads has its shared memory watched from the first launch") {
  const folder f;
  f.write("k.cu",
          "__global__ void reverse(int* d) {\n"
          "  __shared__ int s[64];\n"
          "  const int t = threadIdx.x;\n"
          "  s[t] = d[t];\n"
          "  d[t] = s[63 - t];\n"
          "}\n"
          "extern \"C\" int go() {\n"
          "  int* d;\n"
          "  cudaMalloc(&d, 256);\n"
          "  cudaMemset(d, 0, 256);\n"
          "  reverse<<<1, 64>>>(d);\n"
          "  return cudaFree(d);\n"
          "}\n");
  const std::string library = (f.path / "k.so").string();
  REQUIRE(run(std::string{LABCC} + " --trace --shared " + (f.path / "k.cu").string() + " -o " + library).status == 0);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(handle);
  REQUIRE(reinterpret_cast<int (*)()>(dlsym(handle, "go"))() == 0);
  const std::string report = lab_sim_report_json();
  INFO(report);
  CHECK(report.find(R"("kind":"race","severity":"error","kernel":"reverse","file":"k.cu","line":)") !=
        std::string::npos);
  CHECK(report.find(R"("op":"store","space":"shared","requests":2)") != std::string::npos);
  lab_sim_reset();
  CHECK(std::string{lab_sim_report_json()}.find("race") == std::string::npos);
}

TEST_CASE("the first access to a library's shared memory on an OS thread keeps the values in registers") {
  const folder f;
  f.write("k.cu",
          "__global__ void thirds(const float* from, float* to) {\n"
          "  __shared__ float warps[12000];\n"  // too large for the space that each OS thread has from the beginning
          "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
          "  const float value = from[i] / 3;\n"
          "  if (t % 32 == 0) warps[t / 32] = value;\n"
          "  to[i] = value;\n"
          "  __syncthreads();\n"
          "  if (t % 32 == 0) to[i] = warps[t / 32];\n"
          "}\n"
          "extern \"C\" int wrong() {\n"
          "  constexpr int n = 8 * 1024;\n"  // enough blocks for all OS threads
          "  float *from, *to;\n"
          "  cudaMallocManaged(&from, n * sizeof(float));\n"
          "  cudaMallocManaged(&to, n * sizeof(float));\n"
          "  for (int i = 0; i < n; ++i) from[i] = i;\n"
          "  thirds<<<8, 1024>>>(from, to);\n"
          "  cudaDeviceSynchronize();\n"
          "  int count = 0;\n"
          "  for (int i = 0; i < n; ++i) count += to[i] != i / 3.0f;\n"
          "  cudaFree(from);\n"
          "  cudaFree(to);\n"
          "  return count;\n"
          "}\n");
  const std::string library = (f.path / "k.so").string();
  REQUIRE(run(std::string{LABCC} + " --shared " + (f.path / "k.cu").string() + " -o " + library).status == 0);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(handle);
  CHECK(reinterpret_cast<int (*)()>(dlsym(handle, "wrong"))() == 0);
}
