#include <algorithm>
#include <string>

#include "catch.hpp"
#include "sim/labcc/loops/thread_loops.hpp"

using lab::sim::thread_loops;

namespace {

const std::string tile = "cg::thread_block cta = cg::this_thread_block(); auto t = cg::tiled_partition<8>(cta);";

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "__global__ void k(float* p, const float* q, int n) { float v = q[threadIdx.x];" + body +
         " p[threadIdx.x] = v; }";
}

std::string looped(const std::string& body, const std::string& before = "") {
  const auto source = kernel(body, before);
  INFO(source);
  const auto text = thread_loops(source);
  REQUIRE(text.has_value());
  CHECK(std::ranges::count(*text, '\n') == std::ranges::count(source, '\n'));
  return *text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
bool declines(const std::string& body, const std::string& before = "") {
  return !thread_loops(kernel(body, before)).has_value();
}

}  // namespace

TEST_CASE("lanes pass values through an array of words, between two loops") {
  const auto text = looped("v += __shfl_down_sync(0xffffffff, v, n);");
  CHECK(has(text, "uint64_t lab_word_0 = LAB_SIM_WORD(v); lab_keep_lab_word_0[lab_thread] = lab_word_0;"));
  CHECK(has(text, "v += LAB_SIM_LANE_DOWN(lab_word_0, (v), (n), 32);"));
  CHECK(has(looped("float w = __shfl_sync(FULL, v + 1,\n n, 16); v = w;", "#define FULL 0xFFFFFFFFu\n"),
            "float w = LAB_SIM_LANE(lab_word_0, (v + 1), (n), 16)"));
  CHECK(has(looped("v = __shfl_up_sync(~0u, v, 1) + __shfl_xor_sync(-1, n, 2);"),
            "v = LAB_SIM_LANE_UP(lab_word_0, (v), (1), 32) + LAB_SIM_LANE_XOR(lab_word_1, (n), (2), 32);"));
  CHECK(has(looped(tile + "v += t.shfl_xor(v, t.size() / 2) * t.thread_rank();"),
            "LAB_SIM_MEMBER_XOR(lab_word_0, (v), (8U / 2), 8) * ((threadIdx.x"));
  CHECK_FALSE(has(looped("p[threadIdx.x] = 1; __syncwarp(); v += p[n]; __syncwarp(0xffffffff);"), "__syncwarp"));
}

TEST_CASE("a shuffle in a loop or a function of the source becomes loops over threads") {
  const std::string sum =
      "__device__ float sum(float s) { for (int i = 16; i > 0; i /= 2) s += __shfl_down_sync(~0u, s, i); return s; }\n";
  CHECK(has(looped("v = sum(v);", sum), "LAB_SIM_LANE_DOWN"));
  CHECK(has(looped("for (int i = 0; i < n; ++i) v += __shfl_sync(~0u, v, i);"), "LAB_SIM_LANE(lab_word_0"));
}

TEST_CASE("whole warps may take a branch with a shuffle, for as many turns as other warps") {
  const std::string reads = " v += __shfl_down_sync(~0u, v, 1); }", warp = "const int w = threadIdx.x / 32;";
  for (const char* condition : {"threadIdx.x < 64", "(threadIdx.x < 32)", "threadIdx.x >> 5 == 1", "w == 0", "w < 2"}) {
    const auto text = looped(warp + "if (" + condition + ") { v *= 2;" + reads);
    CHECK(has(text, "LAB_SIM_WHOLE_WARPS(32); const bool lab_on_"));
    CHECK(has(text, "if (lab_on_0) v *= 2;"));
    CHECK(has(text, "lab_word_1 = 0; if (lab_on_0) lab_word_1 = LAB_SIM_WORD(v);"));
    CHECK(has(text, "if (lab_on_0) v += LAB_SIM_LANE_DOWN("));
  }
  CHECK(has(looped(tile + "if (threadIdx.x < 8) v += t.shfl_down(v, 1);"), "LAB_SIM_WHOLE_WARPS(8);"));
  CHECK(has(looped("if (n < 32) {" + reads), "LAB_SIM_LANE_DOWN"));
  CHECK(has(looped("if (threadIdx.x < 32) for (int i = 16; i > 0; i /= 2) {" + reads), "i > 0"));
  for (const char* start : {"if (threadIdx.x < 8) {", "if (threadIdx.x < n) {", "if (threadIdx.x == 32) {",
                            "int i = threadIdx.x; ++i; if (i < 32) {", "bool b = threadIdx.x; if (b < 32) {",
                            "if (threadIdx.x < 32) for (int i = n; i > 0; i /= 2) {", "if (v < 32) {",
                            "if (threadIdx.x < 32) { int i = 8 / n;", "if (threadIdx.x < 32) { float w = q[n];",
                            "if (threadIdx.x < 32) { if (v > 0)", "for (int i = v; i > 0; --i) {",
                            "if (threadIdx.x < 32) { __syncthreads();"})
    CHECK(declines(start + reads));
}

TEST_CASE("assignments of one step may have a shuffle") {
  for (const char* text :
       {"v += __shfl_sync(~0u, v, 1);", "n <<= __shfl_sync(~0u, n, 1);", "float w{}; w = v + __shfl_sync(~0u, v, 1);"})
    CHECK(has(looped(text), "LAB_SIM_LANE("));
}

TEST_CASE("a shuffle keeps its kernel from loops if some lanes may be missing or its form is not known") {
  for (const char* text :
       {"v += __shfl_down_sync(0xffff, v, 1);", "v += __shfl_down_sync(n, v, 1);",
        "v += __shfl_down_sync(~0u, v, 1, n);", "if (v > 0) return; v += __shfl_down_sync(~0u, v, 1);",
        "v = n ? __shfl_sync(~0u, v, 1) : 0;", "v = n && __shfl_sync(~0u, v, 1);", "n = 1, v = __shfl_sync(~0u, n, 1);",
        "v = __shfl_sync(~0u, n++, 1);", "v = (n = 2, __shfl_sync(~0u, n, 1));",
        "v = __shfl_sync(~0u, __shfl_sync(~0u, v, 1), 1);", "v = __shfl_down(v, 1);", "v = __ballot_sync(~0u, n);",
        "unsigned m = __activemask(); v = __shfl_sync(m, v, 0);", "__syncwarp(n);",
        "if (__shfl_sync(~0u, v, 0) > 0) v = 1;",
        "cg::thread_block b = cg::this_thread_block(); auto t = cg::tiled_partition<8>(b); switch (n) { case 1: v = "
        "t.shfl(v, 0); }",
        "auto t = cg::tiled_partition<8>(other); v = t.shfl(v, 0);",
        "auto t = cg::tiled_partition(cg::this_thread_block(), 8); v = t.shfl(v, 0);"})
    CHECK(declines(text));
  CHECK(declines(tile + "auto u = t; v = u.shfl(v, 0);"));
  CHECK(declines(tile + "v = t.shfl(v, 0) + t.any(n);"));
}
