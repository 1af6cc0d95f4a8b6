#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;
using nlohmann::json;

namespace {

// The lines of a source that begin with the mark, without it.
std::vector<std::string> said(const std::filesystem::path& source, const std::string& mark) {
  std::istringstream lines{contents(source)};
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) found.push_back(line.substr(mark.size()));
  return found;
}

class traced_program {
 public:
  explicit traced_program(const std::filesystem::path& source) {
    const auto built = run(std::string{LABCC} + " --trace " + source.string() + " -o " + binary_);
    INFO(source << "\n" << built.out);
    REQUIRE(built.status == 0);
  }
  std::string report(const std::string& settings = "") const {
    run(settings + " LAB_SIM_JSON=" + report_ + " timeout 60 " + binary_);
    const auto text = contents(report_);
    REQUIRE_FALSE(text.empty());
    std::filesystem::remove(report_);
    return text;
  }

 private:
  const folder scratch_;
  const std::string binary_ = (scratch_.path / "program").string(), report_ = (scratch_.path / "report.json").string();
};

std::string traced(const std::filesystem::path& source) { return traced_program{source}.report(); }

// "kind line other_line": the lines of a race in rising order, 0 where there is no second one.
std::string summary(const json& h) {
  const int a = h["line"], b = h["other_line"];
  return h["severity"].get<std::string>() + " " + h["kind"].get<std::string>() + " " +
         std::to_string(b ? std::min(a, b) : a) + " " + std::to_string(b ? std::max(a, b) : 0);
}

std::string summary_of_line(const json& l) {
  std::string text = l["kernel"].get<std::string>() + " " + std::to_string(l["line"].get<int>()) + " " +
                     l["op"].get<std::string>() + " " + l["space"].get<std::string>();
  for (const char* name : {"requests", "sectors", "sectors_ideal", "wavefronts", "wavefronts_ideal"})
    text += " " + std::to_string(l[name].get<int>());
  return text;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("every program of a quarter of the corpus has just the hazards that it says it has", "",
                       ((std::size_t part), part), 0, 1, 2, 3) {
  const auto all = quarter(CORPUS, part);
  REQUIRE(all.size() >= 15);
  for (const auto& source : all) {
    const auto report = json::parse(traced(source));
    std::vector<std::string> found;
    for (const auto& h : report["hazards"]) {
      found.push_back(summary(h));
      CHECK(h["advice"].get<std::string>().ends_with("."));
    }
    auto expected = said(source, "// hazard: ");
    std::ranges::sort(found);
    std::ranges::sort(expected);
    if (expected == std::vector<std::string>{"none"}) expected.clear();
    INFO(source << "\n" << report["hazards"].dump(1));
    CHECK(found == expected);
  }
}

TEST_CASE("every profile counts what the program says that each line costs") {
  const auto all = sources(PROFILES);
  REQUIRE(all.size() >= 5);
  for (const auto& source : all) {
    const auto report = json::parse(traced(source));
    std::vector<std::string> found;
    for (const auto& launch : report["launches"])
      for (auto line : launch["lines"]) {
        line["kernel"] = launch["kernel"];
        found.push_back(summary_of_line(line));
      }
    INFO(source << "\n" << report["launches"].dump(1));
    CHECK(found == said(source, "// counts: "));
    CHECK(report["hazards"].empty());
  }
}

TEMPLATE_TEST_CASE_SIG("every program of a quarter of the corpus gives one report for a seed, byte for byte", "",
                       ((std::size_t part), part), 0, 1, 2, 3) {
  const auto all = quarter(CORPUS, part);
  REQUIRE(all.size() >= 15);
  for (const auto& source : all) {
    const traced_program p{source};
    INFO(source);
    CHECK(p.report() == p.report());
    CHECK(p.report("LAB_SIM_SEED=5") == p.report("LAB_SIM_SEED=5"));
  }
}

namespace {

// Threads and blocks of three dimensions, so that a coordinate in the wrong place shows.
const char* const somewhere = R"(
__device__ bool at(dim3 block, dim3 thread) {
  return blockIdx.x == block.x && blockIdx.y == block.y && blockIdx.z == block.z && threadIdx.x == thread.x &&
         threadIdx.y == thread.y && threadIdx.z == thread.z;
}
__global__ void in_shared(int* p) {
  __shared__ int s;
  if (at(dim3(1, 2, 1), dim3(1, 0, 0))) s = 1;
  if (at(dim3(1, 2, 1), dim3(3, 2, 1))) p[0] = s;
}
__global__ void within_warp(int* p) {
  __shared__ int s;
  if (at(dim3(2, 1, 0), dim3(6, 1, 1))) s = 1;
  if (at(dim3(2, 1, 0), dim3(7, 2, 1))) p[1] = s;
}
__global__ void between_blocks(int* p) {
  if (at(dim3(1, 1, 0), dim3(5, 3, 0))) p[2] = 1;
  if (at(dim3(0, 2, 1), dim3(2, 1, 1))) p[2] = 2;
}
__global__ void no_value(int* p) {
  if (at(dim3(2, 0, 1), dim3(4, 3, 1))) p[3] = p[4];
}
__global__ void barriers(int* p) {
  if (at(dim3(2, 1, 1), dim3(3, 2, 1))) {
    __syncthreads();
    p[5] = 1;
  } else {
    __syncthreads();
  }
}
__global__ void beyond(int* p) {
  if (at(dim3(0, 1, 1), dim3(6, 2, 0))) p[64] = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  const dim3 grid(3, 3, 2), block(8, 4, 2);
  in_shared<<<grid, block>>>(p);
  within_warp<<<grid, block>>>(p);
  between_blocks<<<grid, block>>>(p);
  no_value<<<grid, block>>>(p);
  WHICH;
  cudaDeviceSynchronize();
}
)";

json hazards_of(const std::string& program) {
  const folder scratch;
  return json::parse(traced(scratch.write("k.cu", program)))["hazards"];
}

json only(const json& hazards, const std::string& kernel) {
  json found;
  for (const auto& h : hazards)
    if (h["kernel"] == kernel) found.push_back(h);
  INFO(hazards.dump(1));
  REQUIRE(found.size() == 1);
  return found[0];
}

void check_place(const json& h, const json& block, const json& thread) {
  INFO(h.dump(1));
  CHECK(h["block"] == block);
  CHECK(h["thread"] == thread);
}

}  // namespace

TEST_CASE("a hazard names its block, its thread and the partner of a race, each by all its coordinates") {
  const auto all = hazards_of("#define WHICH beyond<<<grid, block>>>(p)\n" + std::string{somewhere});
  const auto says = [&](const std::string& kernel, const std::string& words) {
    return only(all, kernel)["message"].get<std::string>().find(words) != std::string::npos;
  };
  check_place(only(all, "in_shared"), {1, 2, 1}, {3, 2, 1});
  CHECK(says("in_shared", "this thread reads what thread (1, 0, 0) writes; no __syncthreads() lies between"));
  check_place(only(all, "within_warp"), {2, 1, 0}, {7, 2, 1});
  CHECK(says("within_warp", "this thread reads what thread (6, 1, 1) writes; __syncwarp() would order the lanes"));
  check_place(only(all, "between_blocks"), {0, 2, 1}, {2, 1, 1});
  CHECK(says("between_blocks", "this thread writes what block number 4 writes; blocks run in any order"));
  check_place(only(all, "no_value"), {2, 0, 1}, {4, 3, 1});
  check_place(only(all, "beyond"), {0, 1, 1}, {6, 2, 0});
}

TEST_CASE("a divergent barrier names the thread that waits elsewhere than the first of its block") {
  const auto all = hazards_of("#define WHICH barriers<<<grid, block>>>(p)\n" + std::string{somewhere});
  const auto h = only(all, "barriers");
  CHECK(h["kind"] == "divergent_barrier");
  check_place(h, {2, 1, 1}, {3, 2, 1});
}

TEST_CASE("every program prints the same when it is traced") {
  for (const auto& source : sources(PROGRAMS)) {
    const folder scratch;
    const std::string binary = (scratch.path / "program").string(), quiet = (scratch.path / "report.json").string();
    REQUIRE(run(std::string{LABCC} + " --trace " + source.string() + " -o " + binary).status == 0);
    std::string expected;
    for (const auto& line : said(source, "// prints: ")) expected += line + "\n";
    INFO(source);
    CHECK(run("LAB_SIM_JSON=" + quiet + " timeout 60 " + binary).out == expected);
  }
}

TEST_CASE("a hazard names the variable or the allocation that it concerns") {
  const auto message = [](const std::string& program) {
    return json::parse(traced(std::string{CORPUS} + "/" + program + ".cu"))["hazards"][0]["message"].get<std::string>();
  };
  CHECK(message("race_reduction").starts_with("byte 128 of the __shared__ variable s: "));
  CHECK(message("device_variable_race").find("__device__ variable") != std::string::npos);
  CHECK(message("uninitialized_global").starts_with("byte "));
  CHECK(message("uninitialized_global").find(" of allocation 1 (cudaMalloc, ") != std::string::npos);
}

TEST_CASE("what stops a kernel is reported at its own line, whatever was accessed before") {
  const folder scratch;
  for (const std::string stop : {"__trap();", "assert(threadIdx.x > 3);", "n = 7 / n;"}) {
    const auto source = scratch.write("stops.cu",
                                      "__global__ void stops(int n, int* p) {\n"
                                      "  if (threadIdx.x == 1)\n"
                                      "    " +
                                          stop +
                                          "\n"
                                          "  p[threadIdx.x] = n;\n"
                                          "}\n"
                                          "int main(int n, char**) {\n"
                                          "  int* p;\n"
                                          "  cudaMalloc(&p, 256);\n"
                                          "  stops<<<1, 32>>>(n - 1, p);\n"
                                          "  return cudaDeviceSynchronize() == cudaSuccess;\n"
                                          "}\n");
    const auto report = json::parse(traced(source));
    INFO(stop << "\n" << report["hazards"].dump(1));
    REQUIRE(report["hazards"].size() == 1);
    CHECK(summary(report["hazards"][0]) == "error launch_error 3 0");
  }
}
