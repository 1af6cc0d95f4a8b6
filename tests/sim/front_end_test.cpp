#include "catch.hpp"
#include "run.hpp"

// What labcc reads as nvcc does.

using namespace lab::test;

namespace {

const std::string labcc = LABCC;

std::string built_and_run(const folder& f, const std::string& sources) {
  const auto r = run("cd " + f.path.string() + " && " + labcc + " " + sources + " -o program && ./program");
  INFO(r.out);
  return r.out;
}

}  // namespace

TEST_CASE("kernels and device variables at the same place of two included files have names of their own") {
  const folder f;
  f.write("one.cuh", "__global__ void one() {}\n__device__ int first;\n");
  f.write("two.cuh", "__global__ void two() {}\n__device__ int other;\n");
  f.write("kernel.cuh", "__global__ void KERNEL() {}\n");
  f.write("main.cu",
          "#include \"one.cuh\"\n#include \"two.cuh\"\n#define KERNEL a\n#include \"kernel.cuh\"\n#undef KERNEL\n"
          "#define KERNEL b\n#include \"kernel.cuh\"\n#include <cstdio>\n"
          "int main() { one<<<1, 1>>>(); two<<<1, 1>>>(); a<<<1, 1>>>(); b<<<1, 1>>>();\n"
          "  std::printf(\"%d\\n\", cudaDeviceSynchronize()); }\n");
  CHECK(built_and_run(f, "main.cu") == "0\n");
}

TEST_CASE("a program is compiled by the C++ standard that it asks for, and without one by nvcc's") {
  const folder f;
  f.write("main.cu",
          "#include <cmath>\n#include <cstdio>\n"
          "__host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }\n"
          "__global__ void k(const int* zero) { printf(\"%g %d\\n\", lerp(1, 3, .5f), zero == nullptr); }\n"
          "int main() { k<<<1, 1>>>(0); cudaDeviceSynchronize(); std::printf(\"%ld\\n\", __cplusplus); }\n");
  CHECK(built_and_run(f, "main.cu") == "2 1\n201703\n");
  CHECK(built_and_run(f, "-std=c++17 --trace main.cu") == "2 1\n201703\n");
  CHECK(built_and_run(f, "-std=c++11 main.cu") == "2 1\n201703\n");
  f.write("main.cu", "#include <cstdio>\nint main() { std::printf(\"%ld\\n\", __cplusplus); }\n");
  CHECK(built_and_run(f, "-std=c++20 main.cu") == "202002\n");
}

TEST_CASE("lanes that exchange values without __syncwarp() run in step, and the compiler warns") {
  const folder f;
  const std::string source = PROGRAMS "/with_warnings/lanes_in_step.cu", program = (f.path / "program").string();
  for (const std::string mode : {"--fast", "--trace"}) {
    const auto built = run(labcc + " " + mode + " " + source + " -o " + program);
    CHECK(built.status == 0);
    CHECK((built.out.find("without __syncwarp()") != std::string::npos) == (mode == "--fast"));
    CHECK(run("timeout 60 " + program + " 2>/dev/null").out == "496 2016 3\n");
  }
}

TEST_CASE("a launch may stand in lambdas that choose its template arguments") {
  const folder f;
  f.write(
      "main.cu",
      "#include <cstdio>\n#define CHOOSE(V, N, ...) [&] { if (V == 1) { constexpr int N = 1; return __VA_ARGS__(); }"
      " constexpr int N = 2; return __VA_ARGS__(); }()\n"
      "template <class T, int A, int B> __global__ void k(T* out) { *out = 10 * A + B; }\n"
      "template <class T> void go(T* p, int a, int b) {\n"
      "  CHOOSE(a, A, [&] { CHOOSE(b, B, [&] { k<T, A, B><<<1, 1>>>(p); }); });\n}\n"
      "int main() { int* p; cudaMallocManaged(&p, 4); go(p, 2, 1); cudaDeviceSynchronize();\n"
      "  std::printf(\"%d\\n\", *p); }\n");
  CHECK(built_and_run(f, "main.cu") == "21\n");
}

TEST_CASE("a C file is compiled as C, unless it includes CUDA's headers") {
  const folder f;
  f.write("language.c", "int language(void) { return sizeof('a'); }\n");  // 4 in C, 1 in C++
  f.write("cuda.c", "#include <cuda_runtime.h>\nextern \"C\" int errors() { return cudaGetLastError(); }\n");
  f.write("main.cu",
          "#include <cstdio>\nextern \"C\" { int language(void); int errors(); }\n"
          "int main() { std::printf(\"%d %d\\n\", language(), errors()); }\n");
  CHECK(built_and_run(f, "main.cu language.c cuda.c") == "4 0\n");
  CHECK(built_and_run(f, "--trace main.cu language.c cuda.c") == "4 0\n");
}

TEST_CASE("the option -arch sets __CUDA_ARCH__, of several the newest, and none before sm_70") {
  const folder f;
  f.write(
      "main.cu",
      "#include <cstdio>\n__global__ void k() {\n#ifdef __CUDA_ARCH__\n  printf(\"%d\\n\", __CUDA_ARCH__);\n#endif\n}\n"
      "int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n");
  CHECK(built_and_run(f, "main.cu") == "900\n");
  CHECK(built_and_run(f, "-arch=sm_80 main.cu") == "800\n");
  CHECK(built_and_run(f, "-gencode arch=compute_70,code=sm_70 -gencode arch=compute_86,code=sm_86 main.cu") == "860\n");
  CHECK(built_and_run(f, "-arch sm_35 main.cu") == "900\n");
}

TEST_CASE("programs find the guards, the constants and the names of other versions of CUDA") {
  const folder f;
  f.write("main.cu",
          "#include <cuda.h>\n#include <cstdio>\n"
          "#if defined(__DRIVER_TYPES_H__) && defined(__CUDA_RUNTIME_H__) && CUDA_VERSION >= 13000\n"
          "__global__ void k(int* p) { *p = INT_MAX; }\n#endif\n"
          "int main() {\n  int *p, mode = -1;\n  cudaMallocManaged(&p, 4);\n  k<<<1, 1>>>(p);\n"
          "  cudaThreadSynchronize();\n  cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0);\n"
          "  cudaMemPrefetchAsync(p, 4, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0);\n"
          "  std::printf(\"%d %d %s\\n\", *p == INT_MAX, mode == cudaComputeModeDefault,\n"
          "              cudaGetErrorName(cudaErrorECCUncorrectable));\n}\n");
  const auto out = built_and_run(f, "main.cu");
  CHECK(out.ends_with("1 1 cudaErrorECCUncorrectable\n"));
  CHECK(out.find("use cudaDeviceSynchronize") != std::string::npos);
}

TEST_CASE("a traced program that aborts writes its report first") {
  const folder f;
  f.write("main.cu",
          "#include <cstdlib>\n__global__ void k(int* p) { p[threadIdx.x + 1] = 1; }\n"
          "int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); if (cudaDeviceSynchronize()) std::abort(); }\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc +
                     " --trace main.cu -o program && LAB_SIM_JSON=report.json exec ./program");
  CHECK(r.status == 128 + 6);
  CHECK(contents(f.path / "report.json").find("out_of_bounds") != std::string::npos);
}

TEST_CASE("an array takes memory as it is written") {
  const folder f;
  f.write(
      "main.cu",
      "#include <sys/resource.h>\n#include <cstdio>\n__global__ void k(const int* p) { printf(\"%d \", p[1 << 20]); }\n"
      "int main() {\n  size_t most, all;\n  int* p;\n  cudaMemGetInfo(&most, &all);\n"
      "  const cudaError_t e = cudaMalloc(&p, most - (most >> 4));\n  k<<<1, 1>>>(p);\n  cudaDeviceSynchronize();\n"
      "  rusage used;\n  getrusage(RUSAGE_SELF, &used);\n  std::printf(\"%d %d\\n\", e, used.ru_maxrss < 300000); }\n");
  CHECK(built_and_run(f, "main.cu") == "-1 0 1\n");
}

TEST_CASE("graphs take the arguments of CUDA 12, too, without the data of edges") {
  const folder f;
  f.write("k.cu",
          "#include <cstdio>\n"
          "int main() {\n"
          "  cudaGraph_t graph;\n  cudaGraphCreate(&graph, 0);\n"
          "  cudaGraphNodeParams what = {cudaGraphNodeTypeEmpty};\n"
          "  cudaGraphNode_t a, b, from[2], to[2];\n"
          "  cudaGraphAddNode(&a, graph, nullptr, 0, &what);\n  cudaGraphAddNode(&b, graph, &a, 1, &what);\n"
          "  size_t edges = 2, before = 2, after = 2;\n"
          "  cudaGraphGetEdges(graph, from, to, &edges);\n"
          "  const bool same = from[0] == a && to[0] == b;\n"
          "  cudaGraphNodeGetDependencies(b, from, &before);\n  cudaGraphNodeGetDependentNodes(b, to, &after);\n"
          "  std::printf(\"%zu %d %zu %d %zu\\n\", edges, same, before, from[0] == a, after);\n}\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " k.cu -o k && ./k");
  CHECK(r.out == "1 1 1 1 0\n");
}
