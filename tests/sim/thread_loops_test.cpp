#include "sim/labcc/loops/thread_loops.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using lab::sim::code_outside_kernels;
using lab::sim::thread_loops;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "__global__ void k(float* p, const float* q, int n) {" + body + "}";
}

std::string looped(const std::string& source) {
  const auto text = thread_loops(source);
  REQUIRE(text.has_value());
  CHECK(std::ranges::count(*text, '\n') == std::ranges::count(source, '\n'));
  return *text;
}

std::string body(const std::string& text) { return looped(kernel(text)); }
bool declines(const std::string& text, const std::string& before = "") {
  return !thread_loops(kernel(text, before)).has_value();
}

int loops(const std::string& text) {
  int count = 0;
  for (const std::string loop : {"LAB_SIM_EACH_THREAD", "LAB_SIM_RUN_ROWS"})
    for (auto at = text.find(loop); at != text.npos; at = text.find(loop, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a kernel without barriers becomes one loop, in which a return ends one thread") {
  CHECK(
      body(" while (n > 0) p[threadIdx.x] = n--; ") ==
      kernel(" LAB_SIM_THREAD_LOOPS(false); const auto lab_given_n = n; LAB_SIM_EACH_THREAD { LAB_SIM_THREAD; auto n = "
             "lab_given_n; { while (n > 0) p[threadIdx.x] = n--; } } "));
  const auto returns = body("int i = threadIdx.x;\n if (i >= n) return;\n p[i] = 1;");
  CHECK(has(returns, "goto lab_next;"));
  CHECK(has(returns, "lab_next:;"));
  CHECK_FALSE(thread_loops("int f() { return 1; }").has_value());
}

TEST_CASE("a barrier separates two loops, and a value that crosses it is kept") {
  const auto text =
      body("__shared__ float s[64]; float v = q[threadIdx.x]; s[threadIdx.x] = v; __syncthreads(); p[0] = v;");
  CHECK(loops(text) == 2);
  CHECK_FALSE(has(text, "__syncthreads"));
  CHECK(has(text, "LAB_SIM_KEEP(LAB_SIM_TYPE(float ), v);"));
  CHECK(has(text, "lab_keep_v[lab_thread] = v;"));
  CHECK(has(text, "float  v = lab_keep_v[lab_thread];"));
}

TEST_CASE("an index is computed again in each loop that needs it") {
  const auto text = body("const int x = threadIdx.x, y = x + n; p[y] = 0; __syncthreads(); p[x] = 1;");
  CHECK(has(text, "const int x = threadIdx.x, y = x + n; { p[x] = 1;"));
  CHECK_FALSE(has(text, "LAB_SIM_KEEP"));
}

TEST_CASE("what the whole block computes stays outside of the loops") {
  const auto text =
      body("int step = 1; for (int i = n / 2; i > 0; i /= 2) { p[threadIdx.x] += step; __syncthreads(); step *= 2; }");
  CHECK(
      has(text,
          "{ LAB_SIM_THREAD_LOOPS(false);int step = 1; for (int i = n / 2; i > 0; i /= 2) { { const auto lab_passes"));
  CHECK(has(text, "static_cast<void>(0); step *= 2; }"));
  CHECK(has(body("if (n > 3) { p[0] = 1; __syncthreads(); } p[1] = 2;"), "if (n > 3) { LAB_SIM_EACH_THREAD"));
  CHECK(has(body("while (n > 0) { __syncthreads(); p[n] = 1; n -= 1; }"), "n -= 1; }"));
  CHECK(has(body("do { p[0] = 1; __syncthreads(); if (n > 4) break; ++n; } while (n < 9);"), "if (n > 4) break;"));
  CHECK(has(body("if (blockIdx.x > 3) return; p[0] = 1; __syncthreads(); p[1] = 1;"), "if (blockIdx.x > 3) return;"));
}

TEST_CASE("barriers on conditions that may differ between threads decline the kernel") {
  for (const char* text : {"if (threadIdx.x > 3) { __syncthreads(); } p[0] = 1;",
                           "int i = threadIdx.x; while (i > 0) { __syncthreads(); --i; }",
                           "for (int i = threadIdx.x; i < n; ++i) { __syncthreads(); }",
                           "for (int i = 0; i < q[0]; ++i) { __syncthreads(); }",
                           "if (threadIdx.x >= n) return; __syncthreads(); p[0] = 1;",
                           "for (;;) { p[0] = 1; __syncthreads(); if (q[0] > 1) break; }",
                           "__shared__ int stop; while (!stop) { __syncthreads(); }",
                           "for (int i = 0; i < n; ++i) { if (threadIdx.x == 0) ++i; __syncthreads(); }",
                           "int i = 0; int* j = &i; *j = threadIdx.x; while (i < n) { __syncthreads(); ++i; }"})
    CHECK(declines(text));
  CHECK(declines("int i = 0; change(i); while (i < n) { __syncthreads(); ++i; }",
                 "__device__ void change(int& i) { i = 3; }\n"));
  CHECK(declines("if (ODD) { __syncthreads(); }", "#define LANE threadIdx.x\n#define ODD (LANE & 1)\n"));
  CHECK(declines("while (counter < n) { __syncthreads(); }", "__device__ int counter;\n"));
}

TEST_CASE("what waits for other threads in another way declines the kernel") {
  for (const char* text :
       {"__syncwarp(n);", "p[0] = __shfl_sync(n, q[0], 1);", "if (__any_sync(~0u, n)) p[0] = 1;",
        "n = __syncthreads_or(n);", "asm volatile(\"mov;\");", "while (atomicCAS((int*)p, 0, 1));",
        "volatile float* v = p; v[0] = v[1];", "goto end; end: p[0] = 1;", "auto f = [&](int i) { p[i] = 1; }; f(1);",
        "volatile int i = n; p[i] = 1;", "k<<<1, 1>>>(p, q, n);", "__nanosleep(3);", "BARRIER; p[0] = 1;",
        "p[0] = unknown(q[0]);", "cg::thread_block b = cg::this_thread_block(); b.thread_rank();", "object.wait();",
        "static int calls; ++calls;", "p[0] = (*f)(1);"})
    CHECK(declines(text));
  CHECK(declines("wait(n);", "__device__ void wait(int) { __activemask(); }\n"));
  CHECK(declines("outer(n);", "__device__ void wait() { __activemask(); }\n__device__ void outer(int) { wait(); }\n"));
  CHECK(declines("WAIT(n)", "#define WAIT(i) __syncthreads()\n"));
  CHECK(declines("\n#ifdef A\n p[0] = 1;\n#endif\n"));
}

TEST_CASE("a function that waits declines every kernel that calls it") {
  const std::string waits = "__device__ void wait(int) { __activemask(); }\n";
  CHECK_FALSE(thread_loops(waits + kernel("wait(n);") + "\n__global__ void other(int n) { wait(n); }\n").has_value());
}

TEST_CASE("a barrier of cooperative groups is one of the block") {
  CHECK(loops(body("cg::thread_block all = cg::this_thread_block(); p[0] = 1; cg::sync(all); p[1] = 1; all.sync(); "
                   "p[2] = 1;")) == 3);
}

TEST_CASE("each loop may read volatile memory or write it") {
  const std::string v = "__shared__ int s[64]; volatile int* v = s; int i = threadIdx.x; ";
  CHECK_FALSE(declines(v + "v[i] = 1; __syncthreads(); p[i] = v[i + 1] + v[i];"));
  for (const char* text : {"v[i] += v[i + 1];", "v[i] = v[i + 1];", "while (v[0] == 0) {}", "++v[i];", "p[i] = *v;"})
    CHECK(declines(v + text));
  CHECK_FALSE(thread_loops("__global__ void k(volatile int* p) { while (p[0] == 0) {} }").has_value());
}

TEST_CASE("the runtime knows each thread where a kernel reports it or calls what reads its index") {
  CHECK(has(body("printf(\"%d\", n);"), "LAB_SIM_THREAD_LOOPS(true)"));
  CHECK(has(body("assert(n > 3);"), "LAB_SIM_THREAD_LOOPS(true)"));
  CHECK(has(looped(kernel("p[index()] = 1;", "__device__ int index() { return threadIdx.x; }\n")), "LOOPS(true)"));
  CHECK(has(looped(kernel("p[0] = half_of(n);", "__device__ int half_of(int n) { return n / 2; }\n")), "LOOPS(false)"));
  CHECK(has(looped(kernel("p[0] = f();", "#define X threadIdx.x\n__device__ int f() { return X; }\n")), "LOOPS(true)"));
  CHECK(has(looped(kernel("p[0] = n;", "__device__ int f() { return threadIdx.x; }\n")), "LOOPS(false)"));
  CHECK(has(looped(kernel("p[0] = n;",
                          "__device__ int f();\nstruct s { operator int() { return f(); } };\n"
                          "__device__ int f() { return threadIdx.x; }\n")),
            "LOOPS(true)"));
  CHECK(has(*thread_loops(kernel("p[0] = 1;"), {.reads_index = true}), "LOOPS(true)"));
  CHECK(code_outside_kernels("struct i { operator int() { return threadIdx.x; } };").reads_index);
  CHECK_FALSE(code_outside_kernels(kernel("p[threadIdx.x] = 1;")).reads_index);
}

TEST_CASE("stores of all threads in one place stay in their order") {
  for (const char* text : {"p[0] = q[threadIdx.x];", "*p = threadIdx.x;", "p[blockIdx.x + n] += 1;", "*(p + n) = 1;",
                           "__shared__ int last; last = threadIdx.x;", "__shared__ int s[4]; s[0] = threadIdx.x;"})
    CHECK(has(body(text), "LAB_SIM_THREAD_DONE;"));
  for (const char* text :
       {"p[threadIdx.x] = q[0];", "int i = threadIdx.x; p[i] = 1;", "int s[4]; s[0] = n; p[s[0]] = n;",
        "float sum = 0; sum += q[n]; p[threadIdx.x] = sum;", "if (n == 0) p[threadIdx.x] = 1;"})
    CHECK_FALSE(has(body(text), "LAB_SIM_THREAD_DONE;"));
}

TEST_CASE("parameters that threads change are copies") {
  CHECK(has(body("p += threadIdx.x; *p = 1;"), "const auto lab_given_p = p;"));
  const auto kept = body("p += threadIdx.x; __syncthreads(); *p = 1;");
  CHECK(has(kept, "LAB_SIM_FILL(p);"));
  CHECK(has(kept, "auto p = lab_keep_p[lab_thread];"));
}

TEST_CASE("arrays of a thread that cross a barrier are kept in place") {
  const auto text = body("float sum[2][2] = {{1}}; __syncthreads(); sum[0][1] += q[0]; p[0] = sum[0][1];");
  CHECK(has(text, "LAB_SIM_KEEP(LAB_SIM_TYPE(float [2][2]), sum);"));
  CHECK(has(text, "float lab_first_sum[2][2] = {{1}}; auto& sum = lab_keep_sum[lab_thread];"));
  CHECK(declines("float& r = p[threadIdx.x]; __syncthreads(); r = 1;"));
  CHECK(declines("auto v = q[threadIdx.x]; __syncthreads(); p[0] = v;"));
}

namespace {

bool takes_turns(const std::string& text, const std::string& before = "") {
  const auto made = thread_loops(kernel(text, before));
  REQUIRE(made.has_value());
  return has(*made, "LAB_SIM_TURNS");
}

}  // namespace

TEST_CASE("the threads of a loop over every n-th element take turns") {
  CHECK(takes_turns("for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = q[i];"));
  CHECK(
      takes_turns("int i0 = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x; float sum = 0;"
                  "for (size_t i = i0; i < n; i += step) { sum += q[i]; } p[i0] = sum;"));
  const auto text = body("float sum = 0; for (int i = threadIdx.x; i < n; i += blockDim.x) sum += q[i]; p[0] = sum;");
  CHECK_FALSE(
      takes_turns("for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = f(n);", "float f(int& a) { return a; }"));
  CHECK(has(text, "lab_keep_i[lab_thread] = threadIdx.x;"));
  CHECK(has(text, "sum += q[i]; i += blockDim.x; lab_keep_i[lab_thread] = i; lab_keep_sum[lab_thread] = sum;"));
}

TEST_CASE("the threads of a kernel that exchanges values run loops whole, so that a missing barrier shows") {
  const std::string loop = "for (int y = threadIdx.x; y < 9; y += blockDim.x) s[y] = q[y];";
  CHECK_FALSE(takes_turns("__shared__ float s[9]; " + loop + "__syncthreads(); p[threadIdx.x] = s[threadIdx.x % 9];"));
  CHECK_FALSE(takes_turns("__shared__ float s[9]; " + loop + "p[threadIdx.x] = s[threadIdx.x % 9];"));
  CHECK_FALSE(takes_turns("float* s = p + 9; " + loop + "__syncthreads(); p[threadIdx.x] = s[threadIdx.x % 9];"));
}

TEST_CASE("the threads of other loops run them whole") {
  for (const char* text :
       {"for (int i = 0; i < n; i += blockDim.x) p[i] = threadIdx.x;",
        "for (int i = threadIdx.x; i < n; ++i) p[i] = 1;",
        "for (int i = threadIdx.x; i < q[i]; i += blockDim.x) p[i] = 1;",
        "for (int i = threadIdx.x; i < n; i += blockDim.x) if (q[i]) break;",
        "for (int i = threadIdx.x; i < n; i += blockDim.x) { if (q[i]) continue; p[i] = 1; }",
        "for (int i = threadIdx.x; i < n; i += blockDim.x) { if (q[i]) return; p[i] = 1; }",
        "if (n < 3) return; for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = 1;",
        "for (float i = threadIdx.x; i < n; i += blockDim.x) p[int(i)] = 1;",
        "for (int i = threadIdx.x, j = 0; i < n; i += blockDim.x) p[i] = j;",
        "float a[4] = {}; for (int i = threadIdx.x; i < n; i += blockDim.x) a[i % 4] += 1; p[threadIdx.x] = a[0];",
        "int i; for (i = threadIdx.x; i < n; i += blockDim.x) p[i] = 1;"}) {
    INFO(text);
    CHECK_FALSE(takes_turns(text));
  }
}

TEST_CASE("a macro that may leave the code around it declines the kernel") {
  const std::string text = "int i = threadIdx.x; STOP(5); p[i] = 1;";
  CHECK(declines(text, "#define STOP(last) if (i > last) return\n"));
  CHECK(declines(text, "#define LEAVE return\n#define STOP(last) if (i > last) LEAVE\n"));
  CHECK(declines("for (int i = 0; i < n; ++i) { STOP(5); __syncthreads(); }",
                 "#define STOP(last) if (i > last) break\n"));
  CHECK_FALSE(declines(text, "#define STOP(last) do { if (i > last) break; } while (last)\n"));
}

TEST_CASE("code without loops leaves its guards out in rows of threads that pass them") {
  const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x; ";
  CHECK(
      body(" p[threadIdx.x] = n; ") ==
      kernel(
          " LAB_SIM_THREAD_LOOPS(false); { const auto lab_passes = LAB_SIM_PASSES() { LAB_SIM_THREAD; return true; }; "
          "const auto lab_body = LAB_SIM_BODY() { LAB_SIM_THREAD; { p[threadIdx.x] = n; } }; LAB_SIM_RUN_ROWS; } "));
  const auto guarded = body(i + "if (i < n) p[i] = q[i];");
  CHECK(has(guarded, "return (i < n); }"));
  CHECK(has(guarded, "if (lab_whole || (i < n)) p[i] = q[i];"));
  const auto returns = body(i + "if (i >= n) return; p[i] = q[i];");
  CHECK(has(returns, "return !(i >= n); }"));
  CHECK(has(returns, "if (!lab_whole && (i >= n)) return; p[i] = q[i];"));
  for (const char* text : {"if (threadIdx.x < n) p[i] = 1;", "if (q[i] < n) p[i] = 1;", "if (i % 2) p[i] = 1;",
                           "if (i < n) p[i] = 1; else p[i] = 2;", "if (i < n) p[i] = 1; p[i + 1] = 2;",
                           "int j = q[i]; if (i < j) p[i] = 1;", "n -= 1; if (i < n) p[i] = 1;"})
    CHECK_FALSE(has(body(i + text), "lab_whole"));
  for (const char* text : {"for (int j = 0; j < n; ++j) p[i] += 1;", "atomicAdd(&p[i], 1);", "printf(\"%d\", i);",
                           "if (q[i] > 0) return; p[i] = 1;"})
    CHECK_FALSE(has(body(i + text), "LAB_SIM_RUN_ROWS"));
  const std::string sum = "__device__ float sum(int n) { float s = 0; while (n) s += n--; return s; }\n";
  CHECK_FALSE(has(looped(kernel(i + "p[i] = sum(n);", sum)), "LAB_SIM_RUN_ROWS"));
  const auto divided = body(i + "if (i >= n) return; int j = 8 / (n - i); if (j < 3) p[i] = 1;");
  CHECK(has(divided, "return !(i >= n); }"));
  CHECK_FALSE(has(divided, "lab_whole || (j < 3)"));
}

TEST_CASE("guards that may call an operator of the program stay, unless it only computes a value") {
  const std::string declared =
      "__global__ void k(int* p, limit l, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; ";
  const std::string by_class = declared + "if (i < l) p[i] = 1; }", by_int = declared + "if (i < n) p[i] = 1; }";
  const std::string counts = "bool operator<(int i, limit l) { ++*l.calls; return i < l.n; }\n";
  const std::string computes = "bool operator<(int i, limit l) { return i < max(l.n, 1); }\n";
  CHECK_FALSE(has(looped(counts + by_class), "lab_whole"));
  CHECK(has(looped(counts + by_int), "lab_whole"));
  CHECK(has(looped(computes + by_class), "lab_whole"));
  CHECK_FALSE(has(*thread_loops(by_class, {.operators_act = true}), "lab_whole"));
  CHECK(code_outside_kernels(counts).operators_act);
  CHECK_FALSE(code_outside_kernels(computes).operators_act);
  CHECK(code_outside_kernels("bool operator<(int i, limit l);").operators_act);
  CHECK(code_outside_kernels("struct a { operator int() const { return f(n); } };").operators_act);
  CHECK_FALSE(code_outside_kernels("struct a { a& operator=(const a&) { n = 1; return *this; } };").operators_act);
}

TEST_CASE("dynamic shared memory, and what pointers point into, are no copies in rows of threads") {
  CHECK(has(body("extern __shared__ float s[]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[0];"),
            "LAB_SIM_BODY(, &s) {"));
  const std::string into =
      "__global__ void k(float* p, block b) { const float* w = b.w; w += threadIdx.x; p[threadIdx.x] = *w; ";
  CHECK(has(looped(into + "__syncthreads(); p[threadIdx.x] += *w; }"), "LAB_SIM_BODY(, &b) {"));
  CHECK(has(looped(into + "}"), "LAB_SIM_BODY() {"));
}

TEST_CASE("memory that a loop's next turn reads is asked for, where its place is known") {
  const std::string start = "__shared__ float s[64]; int i = q[threadIdx.x]; const int x = threadIdx.x; float v = 0;";
  const auto turns = [&](const std::string& in_loop) {
    return body(start + "for (int j = 0; j < 9; ++j) {" + in_loop + "__syncthreads(); v += s[0]; } p[i] = v;");
  };
  const auto here = turns("s[x] = q[i]; i += n;");
  CHECK(has(here,
            "lab_keep_i[lab_thread] = i; } }; LAB_SIM_RUN_ROWS; } LAB_SIM_EACH_LINE(sizeof(*q)) { "
            "LAB_SIM_THREAD; const auto i = lab_keep_i[lab_thread]; LAB_SIM_ASK_FOR(q[i]); }"));
  const auto later = turns("i += n; __syncthreads(); if (x < n && i > 0) { s[x] = q[i + 4 * n] + q[i]; }");
  CHECK(has(later,
            "const int x = threadIdx.x; const auto i = lab_keep_i[lab_thread]; if (x < n && i > 0) "
            "LAB_SIM_ASK_FOR(q[i + 4 * n]); if (x < n && i > 0) LAB_SIM_ASK_FOR(q[i]); }"));
  for (const char* text : {"i += n; s[x] = q[i];", "s[x] = q[x]; i += n;", "s[x] = q[n / i]; i += n;", "q = p;",
                           "int m = s[0]; s[x] = q[i + m]; i += n;", "if (q[x] > 0) s[x] = q[i]; i += n;",
                           "for (int m = 0; m < 3; ++m) s[x] += q[i + m]; i += n;", "p[i] = 1; i += n;",
                           "s[x] = q[i]; i += n; __syncthreads(); i += 2;", "s[x] = q[i + j]; i += n;"})
    CHECK_FALSE(has(turns(text), "LAB_SIM_ASK_FOR"));
}

TEST_CASE("a variable that a pointer may point at stays in one place") {
  const auto text = body("int v = n; int* at = &v; p[*at] = 1; __syncthreads(); p[v] = *at;");
  CHECK(has(text, "LAB_SIM_KEEP_POINTED_AT(LAB_SIM_TYPE(int ), v);"));
  CHECK(has(text, "auto& v = lab_keep_v[lab_thread];"));
  CHECK_FALSE(has(text, "lab_keep_v[lab_thread] = v;"));
}

TEST_CASE("only functions that may change an argument make copies of it") {
  const std::string call = "p[threadIdx.x] = f(n); __syncthreads(); p[0] = n;";
  CHECK_FALSE(has(looped(kernel(call, "__device__ int f(int v) { return v; }\n")), "lab_keep_n"));
  CHECK_FALSE(has(looped(kernel(call, "__device__ int f(const int& v) { return v; }\n")), "lab_keep_n"));
  CHECK(has(looped(kernel(call, "__device__ int f(int& v) { return v++; }\n")), "lab_keep_n"));
  CHECK(has(body("if (q[threadIdx.x] > 0) { int& r = n; ++r; } p[0] = n;"), "lab_given_n"));
}

TEST_CASE("an array in a parameter is a value of the block, unless a thread changes it") {
  const std::string type = "struct block { float w[4]; int n; };\n__global__ void k(float* p, block b) { ";
  const std::string reads = "if (b.w[1] > 0) { p[threadIdx.x] = 1; __syncthreads(); } p[0] = ";
  CHECK(loops(looped(type + reads + "1; }")) == 2);
  CHECK_FALSE(thread_loops(type + reads + "b.w[2]; b.w[1] = 2; }").has_value());
  CHECK(has(looped(type + "b.w[threadIdx.x] = 2; p[0] = b.w[1]; }"), "lab_given_b"));
  CHECK(loops(body("const int& m = n; p[m] = 1; __syncthreads(); p[m] += 1;")) == 2);
}
