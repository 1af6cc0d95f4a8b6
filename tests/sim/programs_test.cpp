#include <unistd.h>

#include <sstream>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

// A program says in `// prints: ...` lines what it has to print.
std::string expected_output(const std::string& source) {
  const std::string mark = "// prints: ";
  std::istringstream lines{source};
  std::string expected;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) expected += line.substr(mark.size()) + "\n";
  return expected;
}

void check(const std::filesystem::path& program, const std::string& mode) {
  const folder scratch;
  const std::string expected = expected_output(contents(program));
  REQUIRE_FALSE(expected.empty());
  const std::string binary = (scratch.path / "program").string();
  const auto built = run(std::string{LABCC} + " " + mode + " -Wall " + program.string() + " -o " + binary);
  INFO(program << " " << mode << "\n" << built.out);
  REQUIRE(built.status == 0);
  const auto ran = run("timeout 60 " + binary);
  CHECK(ran.out == expected);
  CHECK(ran.status == 0);
}

// The program of a source, compiled in a folder.
std::string built(const folder& in, const std::filesystem::path& source) {
  const std::string binary = (in.path / "a").string();
  REQUIRE(run(std::string{LABCC} + " " + source.string() + " -o " + binary).status == 0);
  return binary;
}

}  // namespace

TEST_CASE("every program prints in fast mode what it says it prints") {
  const auto all = sources(PROGRAMS);
  REQUIRE(all.size() >= 20);
  for (const auto& program : all) check(program, "--fast");
}

// A traced program takes such a variable for the host's.
TEST_CASE("a variable of characters that is a template is no text in place of a variable") {
  const folder scratch;
  const auto source = scratch.write("a.cu",
                                    "#include <cstdio>\n"
                                    "template <class T>\n__device__ char of_type[4];\n"
                                    "__global__ void k() { of_type<int>[0] = 'a', of_type<int>[1] = 0; }\n"
                                    "int main() {\n  char c[4];\n  k<<<1, 1>>>();\n"
                                    "  const cudaError_t e = cudaMemcpyFromSymbol(c, of_type<int>, sizeof c);\n"
                                    "  std::printf(\"%s %s\\n\", c, cudaGetErrorName(e));\n}\n");
  CHECK(run(built(scratch, source)).out == "a cudaSuccess\n");
}

TEST_CASE("a long loop of shuffles needs little memory") {
  const folder scratch;
  const auto source = scratch.write("a.cu",
                                    "#include <sys/resource.h>\n#include <cstdio>\n"
                                    "__global__ void k(int n, int* out) {\n  int v = threadIdx.x;\n  __syncthreads();\n"
                                    "  for (int i = 0; i < n; ++i) v += __shfl_xor_sync(~0u, v, 1) & 3;\n"
                                    "  out[threadIdx.x] = v;\n}\n"
                                    "long kilobytes() {\n  rusage u;\n  getrusage(RUSAGE_SELF, &u);\n"
                                    "  return u.ru_maxrss;\n}\n"
                                    "int main() {\n  int* out;\n  cudaMalloc(&out, 256);\n"
                                    "  k<<<1, 64>>>(1000, out);\n  cudaDeviceSynchronize();\n"
                                    "  const long before = kilobytes();\n  k<<<1, 64>>>(100000, out);\n"
                                    "  cudaDeviceSynchronize();\n"
                                    "  std::printf(\"%d\\n\", kilobytes() - before < 8000);\n}\n");
  CHECK(run(built(scratch, source)).out == "1\n");
}

TEST_CASE("a program runs although the system allows its user no further thread") {
  namespace fs = std::filesystem;
  const folder scratch;
  fs::permissions(scratch.path, fs::perms{0755});  // another user runs the program
  const auto source = scratch.write("a.cu",
                                    "#include <cstdio>\n"
                                    "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 5; }\n"
                                    "int main() {\n  int* p;\n  cudaMallocManaged(&p, 4 << 20);\n"
                                    "  k<<<4096, 256>>>(p);\n  cudaDeviceSynchronize();\n"
                                    "  std::printf(\"%d\\n\", p[(1 << 20) - 1]);\n}\n");
  const std::string binary = built(scratch, source);
  // The limit does not hold for root.
  const std::string user = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  const auto ran = run(user + "env LAB_SIM_THREADS=8 prlimit --nproc=1 " + binary);
  CHECK(ran.out == "5\n");
  CHECK(ran.status == 0);
}
