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
  for (const char* name : {"/thread_loops.cu", "/threads_take_turns.cu", "/guarded_rows.cu"}) {
    const folder f;
    f.write("a.cu", contents(PROGRAMS + std::string{name}));
    const auto loops = compiled_and_run(f, ""), threads = compiled_and_run(f, "--no-thread-loops");
    CHECK(loops.status == threads.status);
    CHECK(loops.out == threads.out);
  }
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
