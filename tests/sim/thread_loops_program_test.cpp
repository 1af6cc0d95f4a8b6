#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

const std::string labcc = LABCC, without = " now without loops over threads";

outcome compiled_and_run(const folder& f, const std::string& options) {
  const auto built = run("cd " + f.path.string() + " && " + labcc + " -v " + options + " a.cu -o a");
  REQUIRE(built.status == 0);
  CHECK(built.out.find(without) == std::string::npos);
  return run("cd " + f.path.string() + " && ./a");
}

const char* const main_program = R"(
int main() {
  int* p;
  cudaMallocManaged(&p, 64 * sizeof(int));
  k<<<1, 64>>>(p, 3);
  const auto e = cudaDeviceSynchronize();
  std::printf("%s %d\n", cudaGetErrorName(e), e == cudaSuccess ? p[5] : 0);
}
)";

const std::string begin = "#include <cassert>\n#include <cstdio>\n";

}  // namespace

TEST_CASE("loops over threads and threads on stacks print the same") {
  for (const char* name :
       {"/thread_loops.cu", "/threads_take_turns.cu", "/guarded_rows.cu", "/thread_pointers.cu", "/asks_ahead.cu"}) {
    const folder f;
    f.write("a.cu", contents(PROGRAMS + std::string{name}));
    const auto loops = compiled_and_run(f, ""), threads = compiled_and_run(f, "--no-thread-loops");
    CHECK(loops.status == threads.status);
    CHECK(loops.out == threads.out);
  }
}

TEST_CASE("a kernel with dynamic shared memory keeps its loops, also if other variables are declared first") {
  const folder f;
  f.write("a.cu", begin + "__global__ void k(int* p, int n) {\n  int i = threadIdx.x;\n  extern __shared__ int s[];\n" +
                      "  s[i] = i;\n  __syncthreads();\n  p[i] = n * s[63 - i];\n}\n" +
                      "__global__ void top(int* p, int n) {\n  extern __shared__ int s[];\n  int i = threadIdx.x;\n" +
                      "  s[i] = i;\n  __syncthreads();\n  p[i] = n * s[63 - i];\n}\n" +
                      "int main() {\n  int* p;\n  cudaMallocManaged(&p, 512);\n  k<<<1, 64, 256>>>(p, 2);\n" +
                      "  top<<<1, 64, 256>>>(p + 64, 3);\n  cudaDeviceSynchronize();\n  std::printf(\"%d %d\\n\", "
                      "p[0], p[64]);\n}\n");
  CHECK(compiled_and_run(f, "").out == "126 189\n");
}

TEST_CASE("each thread calls an operator of a header once, also in a guard and before a barrier") {
  const folder f;
  f.write("limit.h",
          "#pragma once\nstruct limit {\n  int* calls;\n  int n;\n};\n"
          "__device__ inline bool operator>(limit l, int i) {\n  atomicAdd(l.calls, 1);\n  return l.n > i;\n}\n"
          "__device__ inline int operator+(limit l, int i) {\n  atomicAdd(l.calls + 1, 1);\n  return l.n + i;\n}\n");
  f.write("a.cu", begin + "#include \"limit.h\"\n__global__ void k(int* p, limit l) {\n" +
                      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (l > i) p[i] = 1;\n}\n" +
                      "__global__ void sums(int* p, limit l) {\n  __shared__ int s[64];\n  const int n = l + 1;\n" +
                      "  s[threadIdx.x] = n;\n  __syncthreads();\n  p[threadIdx.x] = s[0] + n;\n}\n" +
                      "int main() {\n  int* p;\n  cudaMallocManaged(&p, 1024);\n  p[250] = p[251] = 0;\n" +
                      "  k<<<3, 64>>>(p, limit{p + 250, 100});\n  sums<<<1, 64>>>(p, limit{p + 250, 5});\n" +
                      "  cudaDeviceSynchronize();\n  std::printf(\"%d %d %d\\n\", p[250], p[251], p[0]);\n}\n");
  CHECK(compiled_and_run(f, "").out == "192 64 12\n");
  CHECK(compiled_and_run(f, "--no-thread-loops").out == "192 64 12\n");
}

TEST_CASE("integers wrap in loops over threads too if the compiler is told") {
  const folder f;
  f.write("a.cu", begin + "__global__ void k(int* p, int n) {\n  int i = threadIdx.x;\n" +
                      "  p[i] = (i + n) * 1000003 * 7919;\n}\n" + main_program);
  CHECK(compiled_and_run(f, "-Xcompiler -fwrapv").out == "cudaSuccess -1072319384\n");
}

TEST_CASE("a failed assertion in a loop over threads is reported once, with its thread") {
  const folder f;
  f.write("a.cu", begin + "__global__ void k(int* p, int n) {\n  __shared__ int s[64];\n  s[threadIdx.x] = n;\n" +
                      "  __syncthreads();\n  assert(threadIdx.x != 7);\n  p[threadIdx.x] = s[0];\n}\n" + main_program);
  CHECK(compiled_and_run(f, "").out ==
        "a.cu:7: void k(int*, int): Assertion `threadIdx.x != 7' failed.\ncudaErrorAssert 0\n");
}

TEST_CASE("a fault in a loop whose threads take turns names its thread") {
  const folder f;
  f.write("a.cu", begin +
                      "#include <lab_sim.h>\n__global__ void k(int* p, int n) {\n"
                      "  for (int i = threadIdx.x; i < 200; i += blockDim.x)\n    p[i == 100 ? 1 << 30 : 0] = n;\n}\n" +
                      "int main() {\n  int* p;\n  cudaMalloc(&p, 4);\n  k<<<1, 64>>>(p, 3);\n"
                      "  cudaDeviceSynchronize();\n  std::printf(\"%s\\n\", lab_sim_error_detail());\n}\n");
  CHECK(compiled_and_run(f, "").out.find("kernel k, block (0, 0, 0), thread (36, 0, 0)") != std::string::npos);
}

TEST_CASE("an error in a kernel that becomes loops is reported as in any other") {
  const folder f;
  f.write("a.cu", begin + "__global__ void k(int* p, int n) {\n  p[threadIdx.x] = undeclared;\n}\n");
  const std::string command = "cd " + f.path.string() + " && " + labcc + " -c a.cu ";
  const auto loops = run(command), threads = run(command + "--no-thread-loops");
  CHECK(loops.status == 1);
  CHECK(loops.out == threads.out);
}

TEST_CASE("a kernel whose loops do not compile keeps its usual form") {
  const folder f;
  f.write("index.h", "#define HERE threadIdx.x\n");
  f.write("a.cu", begin +
                      "#include \"index.h\"\n__global__ void k(int* p, int n) {\n  int i = HERE;\n  p[HERE] = 1;\n" +
                      "  __syncthreads();\n  p[i] += n;\n}\n" + main_program);
  const auto built = run("cd " + f.path.string() + " && " + labcc + " -v a.cu -o a");
  CHECK(built.status == 0);
  CHECK(built.out.find(without) != std::string::npos);
  CHECK(run("cd " + f.path.string() + " && ./a").out == "cudaSuccess 4\n");
}

TEST_CASE("only the kernel whose loops do not compile keeps its usual form") {
  const folder f;
  f.write("index.h", "#define HERE threadIdx.x\n");
  f.write("kernels.h", "#include \"index.h\"\n__global__ void first(int* p) {\n  int i = HERE;\n  __syncthreads();\n" +
                           std::string{"  p[i] = i;\n}\n__global__ void looped_in_header(int* p) {\n"} +
                           "  p[threadIdx.x] += 1;\n}\n");
  f.write("a.cu", begin +
                      "#include \"kernels.h\"\ntemplate <class T>\n__global__ void second(T* p) {\n  int i = HERE;\n" +
                      "  __syncthreads();\n  p[i] *= 2;\n}\n" +
                      "__global__ void k(int* p, int n) {\n  __shared__ int s[64];\n  s[threadIdx.x] = n;\n" +
                      "  __syncthreads();\n  p[threadIdx.x] += s[63 - threadIdx.x];\n}\n" +
                      "int main() {\n  int* p;\n  cudaMallocManaged(&p, 256);\n  first<<<1, 64>>>(p);\n" +
                      "  looped_in_header<<<1, 64>>>(p);\n  second<<<1, 64>>>(p);\n  k<<<1, 64>>>(p, 3);\n" +
                      "  cudaDeviceSynchronize();\n  std::printf(\"%d\\n\", p[5]);\n}\n");
  const auto built = run("cd " + f.path.string() + " && " + labcc + " -v --keep a.cu -o a");
  CHECK(built.status == 0);
  CHECK(built.out.find(without + " in the kernels that these errors name\n") != std::string::npos);
  CHECK(built.out.find(without + "\n") == std::string::npos);
  CHECK(run("cd " + f.path.string() + " && ./a").out == "15\n");
  CHECK(run("grep -rhB1 LAB_SIM_THREAD_LOOPS " + copies_of(built.out) + " | grep -o '__global__ void [a-z_]*' | sort")
            .out == "__global__ void k\n__global__ void looped_in_header\n");
}

TEST_CASE("an error of a kernel among others is reported as in their usual form") {
  const folder f;
  f.write("a.cu", begin + "__global__ void k(int* p, int n) {\n  p[threadIdx.x] = n;\n}\n" +
                      "__global__ void wrong(int* p, int n) {\n  p[threadIdx.x] = undeclared;\n}\n");
  const std::string command = "cd " + f.path.string() + " && " + labcc + " -c a.cu ";
  const auto loops = run(command), threads = run(command + "--no-thread-loops");
  CHECK(loops.status == 1);
  CHECK(loops.out == threads.out);
}

TEST_CASE("kernels that reduce by shuffles become loops over threads") {
  const folder f;
  f.write("a.cu", contents(PROGRAMS + std::string{"/lanes_in_loops.cu"}));
  const auto built = run("cd " + f.path.string() + " && " + labcc + " -v --keep a.cu -o a");
  CHECK(built.out.find(without) == std::string::npos);
  CHECK(run("grep -rho LAB_SIM_THREAD_LOOPS " + copies_of(built.out) + " | wc -l").out == "3\n");
  CHECK(run("cd " + f.path.string() + " && ./a rows | tail -1").out == "cudaErrorLaunchFailure 1\n");
}

TEST_CASE("a wait that the analysis cannot see is an error that names the option") {
  const folder f;
  f.write("waits.h", "struct waits { __device__ waits(int) { __syncthreads(); } };\n");
  f.write("a.cu",
          begin +
              "#include \"waits.h\"\n__global__ void k(int* p, int n) {\n  waits w = n;\n  p[threadIdx.x] = n;\n}\n" +
              main_program);
  const auto loops = compiled_and_run(f, "");
  CHECK(loops.out.find("cudaErrorLaunchFailure") != std::string::npos);
  CHECK(compiled_and_run(f, "--no-thread-loops").out == "cudaSuccess 3\n");
}
