#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

const std::string labcc = LABCC;

const char* const adder = R"(#include <cstdio>
__global__ void one(int* p) { *p = 1; }
int main() {
  int* p;
  cudaMallocManaged(&p, 4);
  one<<<1, 1>>>(p);
  std::printf("%d\n", *p);
}
)";

}  // namespace

TEST_CASE("a compile error names the student's file and line and shows its text") {
  const folder f;
  f.write("wrong.cu",
          "__global__ void k(int* p) {\n  p[0] = undeclared;\n}\nvoid f(int* p) {\n  k<<<1,\n      1>>>(p, 3);\n}\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " -c wrong.cu");
  CHECK(r.status == 1);
  CHECK(r.out.find("wrong.cu:2:10: error: 'undeclared'") + r.out.find("wrong.cu:2:10: error: \xe2\x80\x98undeclared") !=
        2 * std::string::npos);
  CHECK(r.out.find("p[0] = undeclared;") != std::string::npos);
  CHECK(r.out.find("wrong.cu:5:") + r.out.find("wrong.cu:6:") != 2 * std::string::npos);
}

TEST_CASE("a byte order mark is no part of a source or a header") {
  const folder f;
  f.write("adder.hpp",
          "\xef\xbb\xbf"
          "__global__ void two(int* p) { *p = 2; }\n");
  f.write("marked.cu",
          "\xef\xbb\xbf"
          "#include \"adder.hpp\"\n" +
              std::string{adder});
  const auto r = run("cd " + f.path.string() + " && " + labcc + " marked.cu -o marked && ./marked");
  CHECK(r.out == "1\n");
}

TEST_CASE("a fault is told at the end of a fast program that looks at no error") {
  const folder scratch;
  scratch.write("blind.cu", R"(
#include <cstdlib>
__global__ void writes(int* p) { p[0] = 1; }
int main(int argc, char**) {
  writes<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  if (argc > 1) cudaGetLastError();
  return std::getenv("FAILS") ? 3 : 0;
}
)");
  const auto at = "cd " + scratch.path.string() + " && ";
  REQUIRE(run(at + LABCC + " blind.cu -o blind").status == 0);
  const auto blind = run(at + "./blind");
  CHECK(blind.status == 0);
  CHECK(blind.out.starts_with("lab: out_of_bounds: "));
  CHECK(blind.out.find("CUDA has refused all work since then.") != std::string::npos);
  CHECK(run(at + "./blind asks").out.empty());
  CHECK(run(at + "FAILS=1 ./blind").out.empty());
}

TEST_CASE("a launch that never ends is an error with its line") {
  const folder f;
  f.write("wrong.cu", "__global__ void k() {}\nvoid f() {\n  k<<<1, 1;\n}\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " -c wrong.cu");
  CHECK(r.status == 2);
  CHECK(r.out.find("wrong.cu:3: error:") != std::string::npos);
}

TEST_CASE("nvcc's options are accepted and unknown ones named") {
  const folder f;
  f.write("one.cu", adder);
  const auto go = [&](const std::string& options) {
    return run("cd " + f.path.string() + " && " + labcc + " " + options + " one.cu -o one && ./one");
  };
  CHECK(go("-O3 -std=c++17 -arch=sm_90 -gencode arch=compute_80,code=sm_80 -lineinfo --expt-relaxed-constexpr "
           "-Xcompiler -Wall,-fopenmp -lcudart -DX=1 -I . -g -cudart shared -rdc=true --ptxas-options=-v")
            .out == "1\n");
  CHECK(go("--frobnicate").status == 2);
  CHECK(go("--frobnicate").out.find("--frobnicate") != std::string::npos);
  CHECK(go("-lcusolver").status == 2);
}

TEST_CASE("objects, headers with launches and other C++ files link into one program") {
  const folder f;
  f.write("kernels.cuh",
          "#pragma once\n__global__ void one(int* p) { extern __shared__ int s[]; s[0] = 1; *p = s[0]; }\n"
          "inline void go(int* p) { one<<<1, 1, 4>>>(p); }\n");
  f.write("main.cu",
          "#include <cstdio>\n#include \"kernels.cuh\"\nint other();\nint main() { int* p; "
          "cudaMallocManaged(&p, 4); go(p); std::printf(\"%d %d\\n\", *p, other()); }\n");
  f.write("other.cpp", "#include <cuda_runtime.h>\nint other() { return cudaDeviceSynchronize() == cudaSuccess; }\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " -c main.cu -o m.o && " + labcc +
                     " m.o other.cpp -o program && ./program");
  CHECK(r.out == "1 1\n");
}

TEST_CASE("a plain C++ file gets the headers as they are written, also when the program is traced") {
  const folder f;
  f.write("inc/count.h",
          "#pragma once\ninline int count(int n) { int i = 0; while (i < n) ++i; return i; }\n"
          "#ifdef __CUDACC__\n__global__ void never() {}\n#endif\n");
  f.write("main.cu",
          "#include <cstdio>\n#include <count.h>\nint other();\n"
          "int main() { never<<<1, 1>>>(); std::printf(\"%d %d\\n\", count(2), other()); }\n");
  f.write("other.cpp", "#include <count.h>\nint other() { return count(3); }\n");
  for (const std::string& mode : {std::string{}, std::string{" --trace"}}) {
    const auto r = run("cd " + f.path.string() + " && " + labcc + mode + " -Iinc main.cu other.cpp -o m && ./m");
    CHECK(r.out == "2 3\n");
  }
}

TEST_CASE("loops that OpenMP shares out keep the form that it demands") {
  const folder f;
  f.write("shared_out.cu", R"cu(#include <cstdio>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
#define LOOP _Pragma("omp parallel for reduction(+ : sum)")
int main() {
  int sum = 0, *p;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
#pragma omp parallel for collapse(2) \
    reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < 2; ++k) sum += k;
  LOOP
  for (int i = 0; i < 3; i++) sum += 100;
  int i = 0;
#pragma omp parallel for reduction(+ : sum) collapse(2)
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      int j = 0;
      while (j < 250) ++j;
      sum += j;
    }
  }
  while (i < 7) ++i;
  std::printf("%d %d\n", sum, i);
}
)cu");
  for (const std::string& mode : {std::string{}, std::string{" --trace"}}) {
    const auto r =
        run("cd " + f.path.string() + " && " + labcc + mode + " -Xcompiler -fopenmp shared_out.cu -o s && ./s");
    CHECK(r.out == "6350 7\n");
  }
}

TEST_CASE("a header with a launch is found through a folder that is named by its neighbour") {
  const folder f;
  f.write("lib/kernels/go.cuh", "__global__ void k() {}\ninline void go() { k<<<1, 1>>>(); }\n");
  f.write("lib/include/other.h", "\n");
  f.write("src/main.cu", "#include <../kernels/go.cuh>\nint main() { go(); return cudaDeviceSynchronize(); }\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " -I lib/include src/main.cu -o m && ./m");
  INFO(r.out);
  CHECK(r.status == 0);
}

TEST_CASE("host code that touches device memory crashes with one line that says why") {
  const folder f;
  f.write("touch.cu", "int main() { int* p; cudaMalloc(&p, 100); cudaMemset(p, 0, 100); return p[3]; }\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " touch.cu -o touch && exec ./touch");
  CHECK(r.status == 128 + 11);
  CHECK(r.out.find("host code used the device pointer") != std::string::npos);
  CHECK(r.out.find("byte 12 of allocation 1 (cudaMalloc, 100 bytes)") != std::string::npos);
}

TEST_CASE("LAB_CXX chooses the host compiler and a missing one is said") {
  const folder f;
  f.write("one.cu", adder);
  const auto r = run("cd " + f.path.string() + " && LAB_CXX=no-such-compiler " + labcc + " one.cu -o one");
  CHECK(r.status == 3);
  CHECK(r.out.find("no-such-compiler") != std::string::npos);
}

TEST_CASE("a trace does not see the addresses of a wgmma's sums stored, which no GPU stores") {
  const folder f;
  f.write("product.cu", R"(
__global__ void product(float* to, unsigned long long a, unsigned long long b) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(a), "l"(b));
  to[threadIdx.x] = s0 + s1 + s2 + s3;
}
)");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " --trace -O2 -c product.cu && " +
                     "objdump -dr product.o | sed -n '/<_Z7productPfyy>:/,/^$/p'");
  CHECK(r.status == 0);
  CHECK(r.out.find("__tsan_write4") != std::string::npos);  // of `to`
  CHECK(r.out.find("__tsan_write8") == std::string::npos);
}

TEST_CASE("a sample leaves out the sums of a product, because it only counts") {
  const folder f;
  f.write("product.cu", R"(
#include <cstdio>
__global__ void product(float* to) {
  extern __shared__ unsigned short zeros[];  // where descriptors reach
  for (int i = threadIdx.x; i < 64 * 16; i += 128) zeros[i] = 0;
  asm volatile("fence.proxy.async;");
  __syncthreads();
  const unsigned long long at = __cvta_generic_to_shared(zeros) >> 4 | 8ull << 16 | 16ull << 32;
  float s0 = 7, s1 = 7, s2 = 7, s3 = 7;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(at), "l"(at));
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  to[threadIdx.x] = s0;
}
int main() {
  float* to;
  cudaMallocManaged(&to, 128 * sizeof(float));
  product<<<1, 128, 64 * 16 * sizeof(short)>>>(to);
  cudaDeviceSynchronize();
  std::printf("%g\n", to[5]);
}
)");
  const auto at = "cd " + f.path.string() + " && ";
  REQUIRE(run(at + labcc + " product.cu -o product").status == 0);
  CHECK(run(at + "./product").out == "0\n");
  CHECK(run(at + "LAB_SIM_SAMPLE=0.5 ./product").out == "7\n");
}
