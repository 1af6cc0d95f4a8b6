#include "machine_code/parse.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "text/text_file.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

const std::filesystem::path source = "/course/kernels.cu";

std::string sample(const std::string& name) { return read_whole(std::string{TEST_FOLDER "/data/"} + name); }

const kernel_code& named(const machine_code& code, const std::string& name) {
  const auto at = std::ranges::find(code.kernels, name, &kernel_code::name);
  if (at == code.kernels.end()) FAIL("no kernel " << name);
  return *at;
}

const instruction& with(const kernel_code& kernel, const std::string& words) {
  for (const auto& one : kernel.instructions)
    if (one.text.find(words) != std::string::npos) return one;
  FAIL("no instruction " << words);
  return kernel.instructions.front();
}

// The line of the recorded source that contains the words.
int line_with(const std::string& words) {
  const auto text = sample("kernels.cu");
  const auto at = text.find(words);
  REQUIRE(at != std::string::npos);
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

}  // namespace

TEST_CASE("SASS: every kernel, its architecture, and nothing that fills its section") {
  const auto code = parse_sass(sample("kernels.sass"), source);
  CHECK(code.architecture == "sm_90");
  REQUIRE(code.kernels.size() == 2);
  const auto& sum = named(code, "sum_kernel<64>");
  CHECK(sum.symbol.starts_with("_ZN"));
  CHECK(sum.instructions.front().address == "0000");
  CHECK(sum.instructions.size() == 0x5e0 / 16);
  CHECK(sum.instructions.back().text.starts_with("RET.REL.NODEC"));
}

TEST_CASE("SASS: an instruction belongs to the innermost line of the source") {
  const auto code = parse_sass(sample("kernels.sass"), source);
  const auto& sum = named(code, "sum_kernel<64>");
  CHECK(with(sum, "LDG.E").line == line_with("shared[threadIdx.x] = i < n"));
  CHECK(with(sum, "STS").line == line_with("shared[threadIdx.x] = i < n"));
  CHECK(with(sum, "BAR.SYNC").line == line_with("__syncthreads();\n  const float mine"));
  CHECK(with(sum, "FMUL").line == line_with("return x * x"));  // inlined from the same file
  CHECK(with(sum, "REDG").line == line_with("atomicAdd"));     // inlined from CUDA's header
  CHECK(with(sum, "@!P0 LDG.E").text == "@!P0 LDG.E R2, desc[UR6][R2.64]");
}

TEST_CASE("SASS: code that the compiler adds belongs to no line") {
  const auto code = parse_sass(sample("kernels.sass"), source);
  const auto& sum = named(code, "sum_kernel<64>");
  const auto& division = with(sum, "1.84467440737095516160e+19");  // of the slow path of 1.0f / x
  CHECK(division.line == 0);
  CHECK(division.elsewhere.empty());
}

TEST_CASE("SASS: in another source every line is elsewhere") {
  const auto code = parse_sass(sample("kernels.sass"), "/course/other.cu");
  for (const auto& one : named(code, "sum_kernel<64>").instructions) CHECK(one.line == 0);
  CHECK(with(named(code, "sum_kernel<64>"), "STS").elsewhere ==
        "kernels.cu:" + std::to_string(line_with("shared[threadIdx.x] = i < n")));
}

TEST_CASE("SASS: a branch names the address of an instruction") {
  const auto code = parse_sass(sample("kernels.sass"), source);
  std::size_t branches = 0;
  for (const auto& kernel : code.kernels) {
    std::set<std::string> addresses;
    for (const auto& one : kernel.instructions) addresses.insert(one.address);
    for (const auto& one : kernel.instructions) {
      CHECK(one.text.find(".L_") == std::string::npos);
      const auto branch = one.text.find("BRA ");
      if (branch == std::string::npos) continue;
      ++branches;
      CHECK(addresses.contains(one.text.substr(branch + 4)));
    }
  }
  CHECK(branches > 3);
}

TEST_CASE("SASS: spills are marked") {
  const auto code = parse_sass(sample("kernels.sass"), source);
  const auto spills = [&](const std::string& name) {
    return std::ranges::count_if(named(code, name).instructions, [](const instruction& one) { return one.spill; });
  };
  CHECK(spills("spilling_kernel") == 124);  // 62 stores and 62 loads of 4 bytes, as ptxas says
  CHECK(spills("sum_kernel<64>") == 0);
}

TEST_CASE("SASS: the heading of a short name is padded") {
  const auto code = parse_sass(
      "//--------------------- .text._Z4copyPf          --------------------------\n"
      "        /*0000*/                   EXIT ;\n",
      source);
  REQUIRE(code.kernels.size() == 1);
  CHECK(code.kernels.front().name == "copy");
  CHECK(code.kernels.front().instructions.size() == 1);
}

TEST_CASE("the registers, the shared memory and the spills of each kernel") {
  auto code = parse_sass(sample("kernels.sass"), source);
  add_resources(code, sample("kernels.ptxas"));
  const auto& sum = named(code, "sum_kernel<64>").resources;
  REQUIRE(sum.has_value());
  CHECK(sum->registers == 14);
  CHECK(sum->shared_bytes == 256);
  CHECK(sum->barriers == 1);
  CHECK(sum->spill_store_bytes == 0);
  const auto& spilling = named(code, "spilling_kernel").resources;
  REQUIRE(spilling.has_value());
  CHECK(spilling->registers == 32);
  CHECK(spilling->shared_bytes == 0);
  CHECK(spilling->stack_bytes == 216);
  CHECK(spilling->spill_store_bytes == 248);
  CHECK(spilling->spill_load_bytes == 248);
}

TEST_CASE("PTX: kernels, functions and lines") {
  const auto code = parse_ptx(sample("kernels.ptx"), source);
  CHECK(code.architecture == "sm_90");
  REQUIRE(code.kernels.size() == 3);
  CHECK_FALSE(named(code, "inverse").kernel);
  const auto& sum = named(code, "sum_kernel<64>");
  CHECK(sum.kernel);
  CHECK(with(sum, "ld.global.f32").line == line_with("shared[threadIdx.x] = i < n"));
  CHECK(with(sum, "mul.f32").line == line_with("return x * x"));
  CHECK(with(sum, "atom.global").line == line_with("atomicAdd"));
  CHECK(with(sum, "bar.sync").line == line_with("__syncthreads();\n  const float mine"));
}

TEST_CASE("PTX: parameters and variables have short names, and a call is one instruction") {
  const auto code = parse_ptx(sample("kernels.ptx"), source);
  const auto& sum = named(code, "sum_kernel<64>");
  CHECK(sum.instructions.front().text == "ld.param.u64 %rd1, [param_0]");
  CHECK(with(sum, "shared").text == "mov.u32 %r7, shared");
  CHECK(with(sum, "call.uni").text == "call.uni (retval0), inverse, ( param0 )");
  CHECK(std::ranges::any_of(sum.instructions, [](const instruction& one) { return one.label.starts_with("$L__BB"); }));
  for (const auto& one : sum.instructions) CHECK(one.text.find("//") == std::string::npos);
}

TEST_CASE("the plain name of a kernel") {
  CHECK(plain_name("matmul_kernel<vectors, high, wide>") == "matmul_kernel");
  CHECK(plain_name("ns::sum_kernel<64>") == "sum_kernel");
  CHECK(plain_name("copy") == "copy");
  CHECK(readable_name("copy") == "copy");
  CHECK(readable_name("_Z3sumILi64EEvPKfPfi") == "sum<64>");
}
