#include "catch.hpp"
#include "run.hpp"
#include "skip.hpp"

using namespace lab::test;

namespace {

struct wrong {
  const char* line;  // the third of the source
  const char* said;
};

const wrong programs[] = {
    {"int on_host(int x) { return x; } __global__ void k(int* p) { *p = on_host(1); }", "call to __host__ function"},
    {"#include <iostream>\n__global__ void k(int* p) { std::cout << *p; }", "__host__ function"},
    {"__global__ void k(int* p) { *p = rand(); }", "__host__ function"},
    {"__global__ int k() { return 1; }", "must have void return type"},
    {"__device__ void f() { throw 1; }", "cannot use 'throw'"},
    {"__global__ void k() { __shared__ int s[2] = {1, 2}; s[0] = 1; }", "initialization is not supported"},
    {"__global__ void k() {} void f() { k(); }", "not configured"},
    {"__global__ void k() { threadIdx.x = 1; }", "const"},
};

std::string compile(const folder& f, const std::string& settings = "") {
  return "cd " + f.path.string() + " && " + settings + " " + LABCC + " --strict -c k.cu";
}

bool has_clang() { return run("clang++ --version").status == 0; }

}  // namespace

TEST_CASE("the option --strict refuses what kernels may not do, with clang's words and the source's line") {
  if (!has_clang()) lab_test::skip("clang++ is not installed");
  for (const auto& p : programs) {
    const folder f;
    f.write("k.cu", std::string{"// a kernel\n\n"} + p.line + "\n");
    const auto r = run(compile(f));
    INFO(p.line << "\n" << r.out);
    CHECK(r.status == 1);
    CHECK(r.out.find("k.cu:") != std::string::npos);
    CHECK(r.out.find(p.said) != std::string::npos);
  }
}

TEMPLATE_TEST_CASE_SIG("the option --strict accepts every program of the suite, of which this is a quarter", "",
                       ((std::size_t part), part), 0, 1, 2, 3) {
  if (!has_clang()) lab_test::skip("clang++ is not installed");
  const auto all = quarter(PROGRAMS, part);
  REQUIRE(all.size() >= 5);
  for (const auto& program : all) {
    if (contents(program).starts_with("// strict: ")) continue;  // why clang refuses it
    const folder f;
    const auto r = run("cd " + f.path.string() + " && " + LABCC + " --strict -O0 -c " + program.string());
    INFO(program);
    CHECK(r.out == "");
    CHECK(r.status == 0);
  }
}

// labcc beside other precompiled headers than its own.
std::string labcc_with(const folder& f, const std::string& headers) {
  std::filesystem::create_directories(f.path / "bin");
  std::filesystem::copy_file(LABCC, f.path / "bin/labcc");
  f.write("precompiled/cuda_runtime.h", "#include_next <cuda_runtime.h>\n");
  f.write("precompiled/check.pch", headers);
  return "cd " + f.path.string() + " && bin/labcc -std=c++20 ";
}

TEST_CASE("the check of a kernel says the same with and without precompiled headers, also with damaged ones") {
  if (!has_clang()) lab_test::skip("clang++ is not installed");
  for (const std::string headers : {"", "damaged", "made"}) {
    const folder f;
    const auto labcc = labcc_with(f, headers);
    if (headers == "made") {
      CHECK(run(labcc + "--precompile --check -o precompiled/check.pch").status == 0);
      CHECK(std::filesystem::file_size(f.path / "precompiled/check.pch") > 1'000'000);
    }
    f.write("right.cu",
            "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) { k<<<1, 1>>>(p); }\n");
    f.write("warned.cu", "__global__ void k(int* p) { if (*p = 1) *p = 2; }\n");
    f.write("wrong.cu", "__global__ void k(int* p) { *p = rand(); }\n");
    INFO(headers);
    const auto right = run(labcc + "--check right.cu"), warned = run(labcc + "--check warned.cu"),
               wrong = run(labcc + "--check wrong.cu");
    CHECK(right.out == "");
    CHECK(right.status == 0);
    CHECK(warned.status == 0);
    CHECK(warned.out.find("using the result of an assignment as a condition") != std::string::npos);
    CHECK(wrong.status == 1);
    CHECK(wrong.out.find("wrong.cu:1:") != std::string::npos);
    CHECK(wrong.out.find("pch") == std::string::npos);
  }
}

TEST_CASE("the option --strict says what it lacks when there is no clang") {
  const folder f;
  f.write("k.cu", "int main() {}\n");
  const auto r = run(compile(f, "LAB_CLANG=no-such-clang"));
  CHECK(r.status == 3);
  CHECK(r.out.find("--strict needs clang++ 14 or newer") != std::string::npos);
}
