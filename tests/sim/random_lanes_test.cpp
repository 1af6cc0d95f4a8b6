#include <cstdlib>
#include <random>

#include "catch.hpp"
#include "run.hpp"

// Random kernels whose lanes exchange values, as loops over threads and on stacks.

using namespace lab::test;

namespace {

class random_kernel {
 public:
  explicit random_kernel(unsigned seed) : random_{seed} {}

  std::string text(const std::string& name) {
    std::string body =
        "  cg::thread_block cta = cg::this_thread_block();\n"
        "  auto t8 = cg::tiled_partition<8>(cta);\n"
        "  cg::thread_block_tile<32> t32 = cg::tiled_partition<32>(cta);\n"
        "  __shared__ unsigned s[256];\n  const int warp = threadIdx.x / 32;\n"
        "  const int me = threadIdx.x + blockDim.x * threadIdx.y, all = blockDim.x * blockDim.y;\n"
        "  unsigned a = p[me], b = me * 7 + n, c = t8.thread_rank() + t32.meta_group_rank();\n";
    for (int i = 0; i < 6; ++i) body += statement(3, true);
    return "__global__ void " + name + "(unsigned* p, int n) {\n" + body + "  p[me] = a + 3 * b + 5 * c;\n}\n";
  }
  bool has_branches() const { return branches_; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string one_of(std::initializer_list<const char*> all) {
    return all.begin()[below(static_cast<unsigned>(all.size()))];
  }
  std::string variable() { return one_of({"a", "b", "c"}); }
  std::string value() { return one_of({"a", "b", "c", "a + b", "c * 3", "b ^ n", "a - c"}); }

  std::string shuffle() {
    const std::string number = std::to_string(below(9));
    const auto kind = one_of({"", "_up", "_down", "_xor"});
    if (below(3) == 0) return one_of({"t8", "t32"}) + ".shfl" + kind + "(" + value() + ", " + number + ")";
    const std::string width = one_of({"", "", ", 16", ", 4"}), from = kind.empty() ? "(c & 31)" : number;
    return "__shfl" + kind + "_sync(" + one_of({"0xffffffff", "FULL", "~0u"}) + ", " + value() + ", " + from + width +
           ")";
  }

  // `of_block`: whether all threads of the block execute it.
  std::string statement(int depth, bool of_block) {
    const auto v = variable();
    switch (below(of_block ? 11 : 7)) {
      case 0:
        return "  " + v + " = " + value() + ";\n";
      case 1:
        return "  if (" + variable() + " & 1) " + v + " += 3;\n";
      case 2:
        return "  for (int o = t32.size() / 2; o > 0; o /= 2) " + v + " += __shfl_down_sync(FULL, " + v + ", o);\n";
      case 3:
        return "  " + v + " += " + shuffle() + " + " + shuffle() + ";\n";
      case 4:
        return "  for (int o = 1; o < 8; o *= 2) { " + v + " ^= t8.shfl_xor(" + value() + ", o); b += o; }\n";
      case 5:
        return "  " + v + " = " + shuffle() + ";\n";
      case 6:
        return depth == 0 ? "" : whole_warps(depth);
      case 7:
        return "  s[me] = " + v + ";\n  __syncthreads();\n  c += s[(me + 7) % all];\n  cg::sync(cta);\n";
      case 8:
        return "  s[me] = " + v + ";\n  __syncwarp();\n  b += s[me ^ 1 < all ? me ^ 1 : me];\n  t32.sync();\n";
      case 9:
        return depth == 0 ? "" : counted("i" + std::to_string(depth), depth);
      default:
        return "  " + v + " = " + one_of({"sum", "first"}) + "(" + value() + ");\n";
    }
  }
  std::string counted(const std::string& i, int depth) {
    return "  for (int " + i + " = 0; " + i + " < n; ++" + i + ") {\n" + block(depth, true) + "  }\n";
  }
  std::string block(int depth, bool of_block) {
    return statement(depth - 1, of_block) + statement(depth - 1, of_block);
  }
  std::string whole_warps(int depth) {
    branches_ = true;
    return "  if (" + one_of({"threadIdx.x < 32", "threadIdx.x < 64", "warp == 1", "warp < 2"}) + ") {\n" +
           block(depth, false) + "  }\n";
  }

  std::mt19937 random_;
  bool branches_ = false;
};

std::string program(unsigned seed, int kernels) {
  std::string all =
      "#include <cooperative_groups.h>\n#include <cstdio>\nnamespace cg = cooperative_groups;\n"
      "#define FULL 0xffffffffu\n"
      "__device__ unsigned sum(unsigned v) {\n  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(FULL, v, o);\n"
      "  return v;\n}\n__device__ unsigned first(unsigned v) {\n  v = __shfl_sync(FULL, v, 0);\n  return v;\n}\n";
  std::string launches;
  for (int k = 0; k < kernels; ++k) {
    random_kernel one{seed + static_cast<unsigned>(k)};
    const auto name = "k" + std::to_string(k);
    all += one.text(name);
    launches += "  run(" + name + ", \"" + name + "\", " + (one.has_branches() ? "5" : "7") + ");\n";
  }
  return all +
         "void run(void (*k)(unsigned*, int), const char* name, int shapes) {\n"
         "  const dim3 all[] = {32, 96, 50, {32, 3}, {64, 2}, {16, 4}, {20, 3}};\n  unsigned* p;\n"
         "  cudaMallocManaged(&p, 1024);\n  for (int i = 0; i < shapes; ++i) {\n"
         "    for (unsigned t = 0; t < 256; ++t) p[t] = t * 2654435761u;\n    k<<<1, all[i]>>>(p, i % 4);\n"
         "    const auto e = cudaDeviceSynchronize();\n    unsigned hash = 0;\n"
         "    for (unsigned t = 0; t < 256; ++t) hash = hash * 31 + p[t];\n"
         "    std::printf(\"%s %d %u %s\\n\", name, i, hash, cudaGetErrorName(e));\n  }\n  cudaFree(p);\n}\n"
         "int main() {\n" +
         launches + "}\n";
}

}  // namespace

TEST_CASE("lanes exchange the same values in loops over threads and on stacks") {
  const char* const given = std::getenv("LAB_RANDOM_SEED");
  const folder f;
  f.write("a.cu", program(given ? static_cast<unsigned>(std::atoi(given)) : 1, 8));
  const std::string labcc = LABCC, in = "cd " + f.path.string() + " && ";
  const auto built = run(in + labcc + " -O1 -v --keep a.cu -o loops");
  REQUIRE(built.status == 0);
  CHECK(built.out.find("without loops over threads") == std::string::npos);
  CHECK(run("grep -rho LAB_SIM_THREAD_LOOPS " + copies_of(built.out) + " | wc -l").out == "8\n");
  REQUIRE(run(in + labcc + " -O1 --no-thread-loops a.cu -o stacks").status == 0);
  const auto loops = run(in + "./loops"), stacks = run(in + "./stacks");
  CHECK(loops.out == stacks.out);
  CHECK(loops.out.find("cudaErrorL") == std::string::npos);
}
