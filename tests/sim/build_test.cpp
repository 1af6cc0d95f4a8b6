#include "catch.hpp"
#include "run.hpp"
#include "skip.hpp"

// labcc in the place of nvcc in a build.

using namespace lab::test;

namespace {

const std::string labcc = LABCC;

void write_project(const folder& f) {
  f.write(
      "work.cuh",
      "#pragma once\n#include <cuda_runtime.h>\nextern __device__ int counter;\nextern __constant__ float factors[4];\n"
      "__device__ float scaled(float x, int i);\n__global__ void work(float* p);\n"
      "template <class T> __global__ void fill(T* p, T v) { p[threadIdx.x] = v; }\n"
      "inline void start(float* p) { fill<<<1, 32>>>(p, 2.f); work<<<1, 32>>>(p); }\n");
  f.write("scaled.cu",
          "#include \"work.cuh\"\n__device__ int counter;\n__constant__ float factors[4];\n"
          "__device__ float scaled(float x, int i) { atomicAdd(&counter, 1); return x * factors[i % 4]; }\n");
  f.write("work.cu",
          "#include \"work.cuh\"\n__global__ void work(float* p) { p[threadIdx.x] = scaled(p[threadIdx.x], "
          "threadIdx.x); }\n");
  f.write("main.cpp",
          "#include <cstdio>\n#include \"work.cuh\"\nint main() {\n  float *d, h[32], f[] = {1, 2, 3, 4};\n  int c;\n"
          "  cudaMalloc(&d, 128);\n  cudaMemcpyToSymbol(factors, f, sizeof f);\n  start(d);\n"
          "  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n  cudaMemcpyFromSymbol(&c, counter, 4);\n"
          "  std::printf(\"%g %g %d\\n\", h[1], h[7], c);\n}\n");
}

}  // namespace

TEST_CASE("a Makefile written for nvcc builds with labcc: separate sources, device linking, dependencies") {
  if (run("make --version").status != 0) lab_test::skip("make is not installed");
  const folder f;
  write_project(f);
  f.write(
      "Makefile",
      "FLAGS = -std=c++17 -O3 -arch=sm_90 --compiler-options \"-Wall -Wextra\" -Xptxas -v,-O3 -lineinfo -MD\n"
      "prog: scaled.o work.o main.o\n\t$(NVCC) -arch=sm_90 -dlink $^ -o link.o\n"
      "\t$(NVCC) $(FLAGS) $^ link.o -o $@ -lcudart -lm\n"
      "%.o: %.cu\n\t$(NVCC) $(FLAGS) -dc $< -o $@\nmain.o: main.cpp\n\t$(NVCC) $(FLAGS) -x cu -rdc true -c $< -o $@\n"
      "-include scaled.d\n");
  const std::string go = "cd " + f.path.string() + " && make -s NVCC='" + labcc + "' && ./prog";
  const auto first = run(go);
  CHECK(first.out == "4 8 32\n");
  CHECK(contents(f.path / "scaled.d").find((f.path / "work.cuh").string()) != std::string::npos);
  CHECK(contents(f.path / "scaled.d").find("labcc-") == std::string::npos);
  CHECK(run(go).out == "4 8 32\n");
}

TEST_CASE("nvcc's long option names work as its short ones") {
  const folder f;
  f.write("inc/value.h", "#define VALUE 7\n");
  f.write("one.cu",
          "#include <cstdio>\n#include <value.h>\n__global__ void k() { printf(\"%d\\n\", VALUE * FACTOR); }\n"
          "int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc +
                     " --std=c++17 --std c++17 --gpu-architecture=sm_80 --include-path=inc --define-macro FACTOR=6 "
                     "--optimize=2 --debug --relocatable-device-code=true --generate-line-info --disable-warnings "
                     "--library m --output-file one one.cu && ./one");
  CHECK(r.out == "42\n");
}

TEST_CASE("a folder of NVIDIA's headers among the options does not take the place of the simulator's") {
  const folder f;
  f.write("toolkit/cuda_runtime.h", "#error NVIDIA's\n");
  f.write("toolkit/crt/host_defines.h", "#error NVIDIA's\n");
  f.write("one.cu", "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n");
  const std::string at = "cd " + f.path.string() + " && " + labcc + " one.cu -o one ";
  CHECK(run(at + "-I toolkit -isystem toolkit && ./one").out == "");
  CHECK(run(at + "-Itoolkit && ./one").status == 0);
}

TEST_CASE("an option that only a GPU could follow is refused with the reason") {
  const folder f;
  f.write("one.cu", "int main() {}\n");
  const auto r = run("cd " + f.path.string() + " && " + labcc + " --optix-ir one.cu");
  CHECK(r.status == 2);
  CHECK(r.out.find("--optix-ir is not supported: the simulator makes no machine code") != std::string::npos);
}

TEST_CASE("the option -cuda writes what the host compiler would see") {
  const folder f;
  f.write("one.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
  REQUIRE(run("cd " + f.path.string() + " && " + labcc + " -cuda one.cu").status == 0);
  CHECK(contents(f.path / "one.cu.cpp.ii").find("lab_sim::launch(\"k\"") != std::string::npos);
}

TEST_CASE("a plain C++ source is compiled without the language of kernels, as nvcc does") {
  const folder f;
  f.write("one.cu", "#include <cstdio>\nint min_of(int, int);\nint main() { std::printf(\"%d\\n\", min_of(3, 2)); }\n");
  f.write("two.cpp",
          "#include <cuda_runtime.h>\n#ifdef __CUDACC__\n#error compiled as CUDA\n#endif\n"
          "static int min(int a, int b) { return a < b ? a : b; }\nint min_of(int a, int b) { return min(a, b); }\n");
  CHECK(run("cd " + f.path.string() + " && " + labcc + " one.cu two.cpp -o one && ./one").out == "2\n");
}

TEST_CASE("the simulator's headers are precompiled for programs without options, fast and traced") {
  const folder f;
  f.write("a.cu", "int main() {}\n");
  const std::string in = "cd " + f.path.string() + " && " + labcc + " -Xcompiler -H a.cu -o a ";
  const std::string used = " | grep -c '^! .*cuda_runtime.h.gch/'";  // g++ names the file that it takes
  CHECK(run("{ " + in + "; } 2>&1" + used + "program").out == "1\n");
  CHECK(run("{ " + in + " --trace; } 2>&1" + used + "traced_program").out == "1\n");
}

TEST_CASE("precompiling headers never truncates the header that another compiler may be reading") {
  const folder f;
  const std::string command =
      "cd " + f.path.string() + " && LAB_CXX=true " + labcc + " --precompile -o p/cuda_runtime.h.gch/fast";
  REQUIRE(run(command).status == 0);
  const auto held = f.path / "held", header = f.path / "p/cuda_runtime.h";
  std::filesystem::create_hard_link(header, held);
  REQUIRE(run(command).status == 0);
  CHECK(contents(header) == "#include_next <cuda_runtime.h>\n");
  CHECK(std::filesystem::hard_link_count(held) == 1);  // a new file took the place of the old one
}
