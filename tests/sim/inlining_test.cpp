#include "sim/labcc/loops/inlining.hpp"

#include <algorithm>

#include "catch.hpp"
#include "sim/labcc/loops/thread_loops.hpp"

using lab::sim::thread_loops;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string source(const std::string& function, const std::string& body) {
  return function + "\n__global__ void k(float* p, const float* q, int n) {\n  __shared__ float s[64];\n" + body +
         "\n}\n";
}

std::string inlined(const std::string& function, const std::string& body) {
  const auto all = source(function, body);
  const auto text = lab::sim::loops::inline_waiting_functions(all, {}).text;
  CHECK(std::ranges::count(text, '\n') == std::ranges::count(all, '\n'));
  std::string apart = text.substr(text.find("__global__"));  // by single spaces
  for (auto at = apart.find("  "); at != apart.npos; at = apart.find("  ")) apart.erase(at, 1);
  UNSCOPED_INFO(apart);
  return apart;
}

bool stays(const std::string& function, const std::string& body) {
  const auto all = source(function, body);
  return lab::sim::loops::inline_waiting_functions(all, {}).text == all;
}

const std::string wait = "__device__ void wait(float* a, int i) { a[i] = i; __syncthreads(); i += 1; }";
const std::string sum =
    "__device__ float sum(float v, float* a) {\n  int i = threadIdx.x; a[i] = v;\n  __syncthreads();\n  return a[63 - "
    "i];\n}";

}  // namespace

TEST_CASE("a call of a function that waits becomes the function's statements, with names of their own") {
  CHECK(has(inlined(wait, "int i = 3;\n  wait(s,\n    i + 1);"),
            "{ int lab_in0_i = i + 1; s[lab_in0_i] = lab_in0_i; __syncthreads(); lab_in0_i += 1; }\n"));
  const auto text = inlined(sum, "float v = sum(n, s) + 1;");
  CHECK(has(text,
            "float lab_in0_result{}; { float lab_in0_v = n; int lab_in0_i = threadIdx.x; s[lab_in0_i] = lab_in0_v; "));
  CHECK(has(text, "lab_in0_result = s[63 - lab_in0_i]; } float v = lab_in0_result + 1;"));
  CHECK(has(inlined(sum, "if (n > 3) p[0] = sum(n, s);"), "if (n > 3) { float lab_in0_result{}; {"));
}

TEST_CASE("functions that call functions that wait are expanded, too") {
  const auto text = inlined(sum + "__device__ float twice(float v, float* a) { return 2 * sum(v, a); }",
                            "p[0] = twice(1, s); p[1] = twice(2, s);");
  CHECK_FALSE(has(text, "twice("));
  CHECK_FALSE(has(text, "sum("));
  CHECK(has(text, "lab_in3_result"));
}

TEST_CASE("references and groups become the caller's variables, and template parameters the arguments") {
  CHECK(has(inlined("__device__ void f(int& i, cg::thread_block b) { ++i; cg::sync(b); }",
                    "cg::thread_block all = cg::this_thread_block(); int j = 0; f(j, all);"),
            "{ ++j; cg::sync(all); }"));
  CHECK(has(
      inlined("template <class T, int n> __device__ void f(T v) { T i = n; __syncthreads(); }", "f<float, 2 + 3>(1);"),
      "{ float lab_in0_v = 1; float lab_in0_i = (2 + 3); __syncthreads(); }"));
}

TEST_CASE("shared variables of a function become the kernel's, once for all calls") {
  const auto text =
      inlined("__device__ void f(int i) { __shared__ int own[4]; own[i] = 1; __syncthreads(); }", "f(0); f(1);");
  CHECK(has(text, "{ __shared__ int lab_of_f_own[4];"));
  CHECK(text.find("__shared__ int") == text.rfind("__shared__ int"));
}

TEST_CASE("a function stays a call where its statements might do something else") {
  for (const char* body :
       {"if (sum(n, s) > 1) p[0] = 1;", "p[0] = n > 3 ? sum(n, s) : 0;", "n > 3 && sum(n, s);",
        "for (int i = 0; i < sum(n, s); ++i) p[0] = 1;", "int a = 1, b = sum(a, s);", "p[0] = 1, sum(n, s);"})
    CHECK(stays(sum, body));
  const std::string begin = "__device__ int f(int i) { __syncthreads(); ", end = " }";
  for (const char* text : {"if (i > 3) return 1; return 2;", "assert(i); return 2;", "return f(i);", "return i + q0;"})
    CHECK(stays(begin + text + end, "int q0 = 3; p[0] = f(q0);"));
  CHECK(stays("__device__ void f(float& x) { __syncthreads(); x = 1; }", "f(s[0]);"));
  CHECK(stays("__device__ void f(const float& x, float& y) { __syncthreads(); y = x; }", "float a = 1; f(a, a);"));
  CHECK(stays("template <class T> __device__ void f(T x) { __syncthreads(); }", "f(1);"));
  CHECK(stays("__device__ void f(int) { __syncthreads(); }\n__device__ void f(float) { __syncthreads(); }", "f(1);"));
  CHECK(stays("#define HERE i\n__device__ void f(int i) { __syncthreads(); a[HERE] = 1; }", "int i = 3; f(2);"));
  CHECK(stays("__device__ int half(int i) { return i / 2; }", "p[0] = half(n);"));
}

TEST_CASE("a kernel with functions that wait becomes loops, or stays as it was") {
  const auto text = thread_loops(source(sum, "p[threadIdx.x] = sum(n, s);"));
  REQUIRE(text.has_value());
  CHECK(has(*text, "LAB_SIM_THREAD_LOOPS(false)"));
  CHECK_FALSE(thread_loops(source(sum, "p[0] = sum(n, s); __syncwarp(1);")).has_value());
  const auto both =
      thread_loops(source(sum, "p[0] = sum(n, s); __syncwarp(1);") + "__global__ void k2(float* p) { p[0] = 1; }");
  REQUIRE(both.has_value());
  CHECK(has(*both, "p[0] = sum(n, s); __syncwarp(1);"));
}
