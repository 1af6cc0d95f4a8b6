#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;
using nlohmann::json;

namespace {

// Blocks take tickets: which block gets which depends on their order. The last line does not.
const char* const tickets = R"(#include <cstdio>
__global__ void take(int* next, int* of_block) {
  if (threadIdx.x == 0) of_block[blockIdx.x] = atomicAdd(next, 1);
}
int main() {
  int *next, *of_block, h[8], sum = 0;
  cudaMalloc(&next, sizeof(int));
  cudaMalloc(&of_block, sizeof h);
  cudaMemset(next, 0, sizeof(int));
  take<<<8, 32>>>(next, of_block);
  cudaMemcpy(h, of_block, sizeof h, cudaMemcpyDeviceToHost);
  for (const int i : h) sum += i;
  std::printf("sum %d\n", sum);
  if (PRINT) std::printf("block 5 has ticket %d\n", h[5]);
}
)";

// Only when block 1 comes first does block 0 run over the end.
const char* const hidden = R"(
__global__ void late(int* d) {
  if (atomicAdd(d, 1) == 0 && blockIdx.x != 0) d[64] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  cudaMemset(d, 0, 256);
  late<<<6, 1>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}
)";

// The same in a cluster, whose blocks take turns.
const char* const hidden_in_cluster = R"(
__global__ void __cluster_dims__(2) late(int* d) {
  if (atomicAdd(d, 1) == 0 && blockIdx.x != 0) d[64] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  cudaMemset(d, 0, 256);
  late<<<2, 1>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}
)";

std::string build(const folder& f, const std::string& text, const std::string& options = "") {
  f.write("k.cu", text);
  const auto built = run("cd " + f.path.string() + " && " + LABCC + " --trace " + options + " k.cu -o k");
  REQUIRE(built.out == "");
  return "cd " + f.path.string() + " && ";
}

json report(const folder& f) { return json::parse(contents(f.path / "r")); }

}  // namespace

TEST_CASE("a program that prints the same in every order of blocks has nothing reported by trying schedules") {
  const folder f;
  const auto at = build(f, tickets, "-DPRINT=0");
  CHECK(run(at + "LAB_SIM_SCHEDULES=4 LAB_SIM_JSON=r ./k").out == "sum 28\n");
  CHECK(report(f)["hazards"].empty());
  CHECK(report(f)["schedules"] == 4);
}

TEST_CASE("output that depends on the order of blocks is found by trying schedules") {
  const folder f;
  const auto at = build(f, tickets, "-DPRINT=1");
  const auto r = run(at + "LAB_SIM_SCHEDULES=4 LAB_SIM_JSON=r ./k");
  CHECK(r.out == "sum 28\nblock 5 has ticket 5\n");
  REQUIRE(report(f)["hazards"].size() == 1);
  CHECK(report(f)["hazards"][0]["kind"] == "schedule_dependent");
  CHECK(report(f)["hazards"][0]["message"].get<std::string>().find("line 2 is \"block 5 has ticket 5\"") !=
        std::string::npos);
}

TEST_CASE("labcc --schedules makes a program that tries schedules by itself, unless its environment says otherwise") {
  const folder f;
  const auto at = build(f, tickets, "--schedules 4 -DPRINT=1");
  run(at + "LAB_SIM_JSON=r ./k");
  CHECK(report(f)["schedules"] == 4);
  CHECK(report(f)["hazards"][0]["advice"].get<std::string>().find("atomic operations on floats") != std::string::npos);
  run(at + "LAB_SIM_SCHEDULES=1 LAB_SIM_JSON=r ./k");
  CHECK_FALSE(report(f).contains("schedules"));
  for (const char* wrong : {"--trace --schedules 0", "--trace --schedules two", "--schedules 4"}) {
    const auto refused = run("cd " + f.path.string() + " && " + LABCC + " " + wrong + " k.cu -o k");
    CHECK(refused.status == 2);
    CHECK(refused.out.find("--schedules") != std::string::npos);
  }
}

TEST_CASE("a fault that only some order of blocks shows is found by trying schedules, also in a cluster") {
  const std::string program = GENERATE(hidden, hidden_in_cluster);
  const folder f;
  const auto at = build(f, program);
  CHECK(run(at + "LAB_SIM_JSON=r ./k").status == 0);
  CHECK(report(f)["hazards"].empty());
  CHECK(run(at + "LAB_SIM_SCHEDULES=8 LAB_SIM_JSON=r ./k").status == 1);
  REQUIRE(report(f)["hazards"].size() == 1);
  CHECK(report(f)["hazards"][0]["kind"] == "out_of_bounds");
  CHECK(report(f)["hazards"][0]["line"] == 3);
  CHECK(report(f)["hazards"][0]["schedules"].get<int>() >= 3);
}

TEST_CASE("the same seed gives the same bytes out, report and output, in every try") {
  const folder f;
  const auto at = build(f, tickets, "-DPRINT=1");
  for (const char* seed : {"0", "1", "17"}) {
    const std::string go = at + "LAB_SIM_SEED=" + seed + " LAB_SIM_JSON=r ./k";
    const auto out = run(go).out, first = contents(f.path / "r");
    REQUIRE_FALSE(first.empty());
    for (int i = 0; i < 3; ++i) {
      CHECK(run(go).out == out);
      CHECK(contents(f.path / "r") == first);
    }
  }
  CHECK(run(at + "LAB_SIM_SEED=1 ./k").out != run(at + "LAB_SIM_SEED=0 ./k").out);
}

TEST_CASE("memory that is never freed is reported when it is asked for, with the line that made it") {
  const folder f;
  const auto at = build(f,
                        "int main() {\n  int *a, *b, *c;\n  cudaMalloc(&a, 16);\n  cudaMalloc(&b, 32);\n"
                        "  cudaMallocManaged(&c, 64);\n  cudaFree(b);\n}\n");
  run(at + "LAB_SIM_JSON=r ./k");
  CHECK(report(f)["hazards"].empty());
  run(at + "LAB_SIM_LEAKS=1 LAB_SIM_JSON=r ./k");
  const auto hazards = report(f)["hazards"];
  REQUIRE(hazards.size() == 2);
  CHECK(hazards[0]["kind"] == "leak");
  CHECK(hazards[0]["severity"] == "warning");
  CHECK(hazards[0]["line"] == 3);
  CHECK(hazards[0]["message"].get<std::string>().find("16 bytes") != std::string::npos);
  CHECK(hazards[1]["line"] == 5);
}
