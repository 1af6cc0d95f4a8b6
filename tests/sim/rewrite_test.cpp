#include "sim/labcc/rewriter/rewrite.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using lab::sim::rewrite;
using lab::sim::rewrite_error;

namespace {

bool unchanged(const std::string& source) { return !rewrite(source, false).has_value(); }

std::string rewritten(const std::string& source) {
  const auto r = rewrite(source, false);
  REQUIRE(r.has_value());
  CHECK(std::ranges::count(*r, '\n') == std::ranges::count(source, '\n'));
  return *r;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what only looks like a launch stays as it is") {
  CHECK(unchanged("int a = b << 3; // k<<<1, 2>>>(x)\n"));
  CHECK(unchanged("const char* s = \"k<<<1, 2>>>(x)\"; char c = '\"';\n"));
  CHECK(unchanged("auto s = R\"x(k<<<1, 2>>>(x) \" )\" )x\";\n"));
  CHECK(unchanged("A<B<C<int>>> v(3 >> 1);\n"));
  CHECK(unchanged("long n = 1'000'000; /* k<<<1,\n 2>>>() */\n"));
}

TEST_CASE("a launch names its kernel with namespaces and template arguments") {
  CHECK(has(rewritten("a::b<2, (x > 1)>::k<int, 3><<<g, b>>>(p);"), "launch(\"a::b<2, (x > 1)>::k<int, 3>\""));
  CHECK(has(rewritten("return f(), ::k<<<g, b>>>();"), "launch(\"::k\""));
  CHECK(has(rewritten("(*pointer)<<<g, b>>>(p);"), "(*pointer)(lab_a...)"));
  CHECK(has(rewritten("KERNEL(x)<<<g, b>>>(p);"), "KERNEL(x)(lab_a...)"));
}

TEST_CASE("a configuration may span lines and contain comparisons, shifts and calls") {
  CHECK(has(rewritten("k<<<dim3(a < b ? 1 : 2,\n  n >> 3),\n f<int>(3), 0, s>>>(p, q);"),
            "::lab_sim::config(dim3(a < b ? 1 : 2,\n  n >> 3),\n f<int>(3), 0, s), p, q)"));
  CHECK(has(rewritten("k<<<1, 1>>>();"), "::lab_sim::config(1, 1));"));
}

TEST_CASE("a launch inside a macro stays on the macro's lines and is named by the argument") {
  const auto r = rewritten("#define GO(K, ...) \\\n  K<<<1, \\\n 2>>>(__VA_ARGS__)\nint x;\n");
  CHECK(has(r, "launch(#K, "));
  CHECK(has(r, "(__VA_ARGS__)") == false);
}

TEST_CASE("a literal null pointer among the arguments is marked") {
  CHECK(has(rewritten("k<<<1, 1>>>(p, 0, f(0), NULL);"), "p, ::lab_sim::zero{}, f(0), ::lab_sim::zero{})"));
}

TEST_CASE("dynamic shared memory is bound by its declaration") {
  CHECK(rewritten("void k() { extern __shared__ float s[]; }") ==
        "void k() {   float (&s)[] = ::lab_sim::dynamic_shared(); }");
  CHECK(has(rewritten("void k() { extern volatile __shared__ __align__(16) T s[][4]; }"),
            "T (&s)[][4] = ::lab_sim::dynamic_shared();"));
  CHECK(has(rewritten("namespace a { extern __shared__ int s[]; }"), "extern __thread  int s[] asm("));
}

TEST_CASE("shared memory of a known size is static also after extern, as for nvcc") {
  CHECK(rewritten("void k() { extern __shared__ pair<n, 2> s; }") == "void k() {  __shared__ pair<n, 2> s; }");
  CHECK(rewritten("void k() { extern __shared__ float s[n][2]; }") == "void k() {  __shared__ float s[n][2]; }");
  CHECK(rewritten("extern __shared__ int s;") == " __shared__ int s;");
}

TEST_CASE("a broken launch is refused with its line") {
  try {
    rewrite("\n\nk<<<1, 2>>(x);\n", false);
    FAIL("accepted");
  } catch (const rewrite_error& e) {
    CHECK(e.line == 3);
  }
}

TEST_CASE("a launch may be spaced as clang-format does, and a comment may stand before its arguments") {
  CHECK(has(rewritten("k << <g, b >> > (p);"), "::lab_sim::config(g, b ), p)"));
  CHECK(has(rewritten("k < << g, b >>\n > (p);"), "::lab_sim::config( g, b ), \np)"));
  CHECK(has(rewritten("k<<<g, b>>>  // all\n  /* of\n it */ (p);"), "::lab_sim::config(g, b), "));
  CHECK(unchanged("template <> std::ostream& operator<< <int>(std::ostream&, int);\n"));
  CHECK(unchanged("A<B<int> > v(3); auto w = f<g<h<int> > >(3);\n"));
}

TEST_CASE("each branch of an #if opens a brace that one closes") {
  CHECK(unchanged(
      "__device__ int f(int n) {\n#ifdef A\n  if (n) {\n#elif B\n  if (!n) {\n#else\n  {\n#endif\n    n = 1;\n  }\n"
      "#if 0\n  {{{\n#endif\n  return n;\n}\n"));
  CHECK(has(
      rewritten(
          "#ifdef A\n__global__ void k(int n) {\n#else\n__global__ void k(long n) {\n#endif\n  n = 1;\n}\nint x;\n"),
      "} namespace {"));
}

TEST_CASE("a static shared array and a device operator are what C++ understands") {
  CHECK(rewritten("__global__ void k() { static __shared__ int a[2]; __shared__ static int b; }").find("static") ==
        std::string::npos);
  CHECK(unchanged("__device__ void operator+=(float4& a, float4 b) { a.x += b.x; }\n"));
}

TEST_CASE("shifts of device code are marked, and no other pair of chevrons is") {
  CHECK(has(rewritten("__device__ int f(int a, int n) { return a << n - 1; }"), "a << ::lab_sim::by << n - 1"));
  CHECK(has(rewritten("__device__ void f(int a, int n) { a >>= n; }"), "a >>= ::lab_sim::by = n"));
  CHECK(has(rewritten("__device__ bool f(int a, int b, int n) { return a < b && b < n >> a; }"),
            "n >> ::lab_sim::by >> a"));
  CHECK(unchanged("int f(int a, int n) { return a << n; }\n"));
  CHECK(unchanged("__device__ int f(int a) { wrap<wrap<int>> b(a); wrap<wrap<int>>::type c; return a << 3; }\n"));
  CHECK(unchanged("__host__ __device__ void f(int n) { std::cout << n << std::endl; }\n"));
}

TEST_CASE("__CUDA_ARCH__ is defined where device code depends on it, and nowhere else") {
  CHECK(has(rewritten("__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n#endif\n}\n"), "#if LAB_SIM_CUDA_ARCH >= 700"));
  CHECK(has(rewritten("#ifdef __CUDA_ARCH__\n__device__ int f();\n#endif\n"), "#ifdef LAB_SIM_CUDA_ARCH"));
  CHECK(unchanged("#ifndef __CUDA_ARCH__\n#include <vector>\n#endif\n"));
  CHECK(unchanged("void f() {\n#ifdef __CUDA_ARCH__\n  g();\n#endif\n}\n"));
  CHECK(unchanged("#ifndef __CUDA_ARCH__\nint host_only;\n#endif\n"));
}

TEST_CASE("a branch that the simulator cannot compile is left to the host's view") {
  const auto r = rewritten(
      "__device__ void f() {\n#if __CUDA_ARCH__ >= 900\n  asm(\"griddepcontrol.wait;\");\n#else\n  g();\n#endif\n}\n");
  CHECK(has(r, "#if __CUDA_ARCH__ >= 900"));
}

TEST_CASE("lanes that exchange values without a barrier run in step, with one warning") {
  const std::string body = "int t = threadIdx.x; s[t] += s[t + 2]; s[t] += s[t + 1]; }";
  const auto r = rewritten("__device__ void r(volatile int* s) { " + body);
  CHECK(has(r, "_Pragma(\"GCC warning"));
  CHECK(has(r, "{ const ::lab_sim::in_step lab_step; s[t] = lab_step(s[t]+( s[t + 1])); }"));
  CHECK(unchanged("__device__ void r(int* s) { " + body));
  CHECK(unchanged("__device__ void r(volatile int* s) { __syncwarp(); " + body));
  CHECK(
      unchanged("__device__ void r(volatile int* s, int t) { s[t] += s[t + 2]; __syncthreads(); s[t] += s[t + 1]; }"));
}

TEST_CASE("a barrier between a kernel's statements splits it, if nothing holds the address of a local variable") {
  const auto kernel = [](const std::string& body) { return "__global__ void k(int* p, int n) { " + body + " }\n"; };
  const auto splits = [&](const std::string& body) { return has(rewritten(kernel(body)), "after_barrier"); };
  CHECK(has(rewritten(kernel("s[n] = 1; __syncthreads(); p[n] = s[0];")),
            "s[n] = 1; ::lab_sim::after_barrier([=]() mutable LAB_SIM_PHASE { p[n] = s[0];  }); }"));
  CHECK(splits(
      "__shared__ int s[4]; if (n & 3 && n > 1) return; __syncthreads(); p[n & 1] = s[n]; __syncthreads(); f(n);"));
  CHECK(splits("__shared__ int s[4]; const int m = n * s[0] + f(n, s[1]); __syncthreads(); p[n] = 2 * s[m];"));
  CHECK_FALSE(splits("int* own[4]; __syncthreads(); *own[n] = 1;"));
  CHECK_FALSE(splits("int own[4]; __syncthreads(); p[n] = own[n];"));
  CHECK_FALSE(splits("int a = 1, own[4]; __syncthreads(); p[n] = own[n];"));
  CHECK_FALSE(splits("int x = n; int* q = &x; __syncthreads(); *q = 1;"));
  CHECK_FALSE(splits("int x = n; int& q = x; __syncthreads(); q = 1;"));
  CHECK_FALSE(splits("int* q = x.all; __syncthreads(); *q = 1;"));
  CHECK(splits("int* q = p + blockIdx.x; __syncthreads(); *q = 1;"));
  CHECK_FALSE(splits("auto&& q = n; __syncthreads(); q = 1;"));
  CHECK_FALSE(splits("auto f = [&] { return n; }; __syncthreads(); p[n] = f();"));
  CHECK_FALSE(splits("for (int i = 0; i < n; ++i) { __syncthreads(); } __syncthreads(); p[n] = 1;"));
  CHECK_FALSE(splits("if (n) __syncthreads(); p[n] = 1;"));
  CHECK_FALSE(splits("__syncthreads(); p[n] = __shfl_sync(~0u, n, 1);"));
  CHECK_FALSE(splits("__syncthreads(); __shared__ int late[4]; late[n] = 1;"));
  CHECK_FALSE(splits("extern __shared__ int s[]; s[n] = 1; __syncthreads(); p[n] = s[0];"));
  CHECK_FALSE(has(*rewrite(kernel("s[n] = 1; __syncthreads(); p[n] = s[0];"), true), "after_barrier"));
}

namespace {

// How many loops of a kernel with this body get marks in a trace.
long marked(const std::string& body, const std::string& before = "") {
  const auto text =
      rewrite(before + "template <int size> __global__ void k(float* p, int n) {\n" + body + "\n}\n", true);
  std::string all = text.value_or("");
  long count = 0;
  for (auto at = all.find("LAB_SIM_LOOP"); at != all.npos; at = all.find("LAB_SIM_LOOP", at + 1)) ++count;
  return count;
}

const std::string sums = "float sums[4][4] = {}, unused; float left[4], right[4]; float x = 0;\n";

}  // namespace

TEST_CASE("a counted loop that only computes with what its thread has gets no marks") {
  CHECK(marked(sums + "for (int i = 0; i < 4; ++i)\n  for (int j = 0; j < 4; j++) sums[i][j] += left[i] * right[j];") ==
        0);
  CHECK(marked(sums + "for (int i = 0; i < size; i += 2) { if (i < n) x += left[i]; else x -= 2.f * left[i]; }") == 0);
  CHECK(marked(sums + "#pragma unroll\nfor (int i = 0; i < tile; ++i) x += left[i];", "constexpr int tile = 4;\n") ==
        0);
  CHECK(marked(sums + "for (int i = 0; i < TILE; ++i) x += left[i];", "#define TILE 4\n") == 0);
  CHECK(marked(sums + "for (int k = 0; k < n; ++k) { left[0] = p[k]; for (int i = 0; i < 4; ++i) x += left[i]; }") ==
        1);
}

TEST_CASE("a loop that may access memory, call a function or never end keeps its marks") {
  const auto one = [](const std::string& declared, const std::string& loop) { return marked(declared + loop) == 1; };
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) x += p[i];"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) x += *p;"));
  CHECK(one("float x = 0; __shared__ float t[4];", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float t[4]; float x = 0; { __shared__ float t[4];", "for (int i = 0; i < 4; ++i) x += t[i]; }"));
  CHECK(one("float x = 0; __shared__ float t; { float& x = t;", "for (int i = 0; i < 4; ++i) x += 1; }"));
  CHECK(one("float x = 0; auto t = p;", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float x = 0; float* t = p;", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) x += f(i);"));
  CHECK(one("float x = 0; float4 v;", "for (int i = 0; i < 4; ++i) x += v.x;"));
  CHECK(one("float x = 0; T v;", "for (int i = 0; i < 4; ++i) x += v;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) x += variable;"));
  CHECK(one("float x = 0, *t = p;", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float x = 0; __shared__ float s[4], t[4];", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float x = 0; f(x, t[4]);", "for (int i = 0; i < 4; ++i) x += t[i];"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; x += 1) x += 1;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) i -= 1;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) i >>= 1;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < n; ++i) n = i + 2;"));
  CHECK(one("float x = 0; int step = 0;", "for (int i = 0; i < 4; i += step) x += 1;"));
  CHECK(one("float x = 0; float s[2] = {float(1), t};", "for (int i = 0; i < 4; ++i) x += t;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) --i;"));
  CHECK(one("float x = 0;", "while (x < 4) x += 1;"));
  CHECK(one("float x = 0;", "for (int i = 0; i < 4; ++i) { x += 1; __syncthreads(); }"));
  CHECK(marked("float x = 0; for (int i = 0; i < 4; ++i) x += FIRST;", "#define FIRST 1 + p[0]\n") == 1);
}
