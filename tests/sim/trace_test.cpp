#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
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

// Reports are equal byte for byte. A program takes longer to compile than to run.
TEMPLATE_TEST_CASE_SIG("every program of a quarter of the corpus has just its hazards, and one report for a seed", "",
                       ((std::size_t part), part), 0, 1, 2, 3) {
  const auto all = quarter(CORPUS, part);
  REQUIRE(all.size() >= 15);
  for (const auto& source : all) {
    INFO(source);
    const traced_program program{source};
    const auto text = program.report();
    CHECK(text == program.report());
    CHECK(program.report("LAB_SIM_SEED=5") == program.report("LAB_SIM_SEED=5"));
    const auto report = json::parse(text);
    std::vector<std::string> found;
    std::string messages;
    for (const auto& h : report["hazards"]) {
      found.push_back(summary(h));
      messages += h["message"].get<std::string>() + "\n";
      CHECK(h["advice"].get<std::string>().ends_with("."));
      if (h["kernel"] == "") CHECK(h["block"] == json{0, 0, 0});
    }
    auto expected = said(source, "// hazard: ");
    std::ranges::sort(found);
    std::ranges::sort(expected);
    if (expected == std::vector<std::string>{"none"}) expected.clear();
    INFO(report["hazards"].dump(1));
    CHECK(found == expected);
    for (const auto& words : said(source, "// says: ")) CHECK_THAT(messages, ContainsSubstring(words));
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

TEST_CASE("a kernel that runs beyond the limit ends with a hazard at the line where it was") {
  const folder scratch;
  const auto endless = scratch.write("endless.cu", R"(
__global__ void never_ends(int* value, int n) {
  int i = threadIdx.x;
  for (int sum = 0; i < n; sum += i) value[i] = sum;
}
int main() {
  int* value;
  cudaMalloc(&value, 64 * sizeof(int));
  never_ends<<<2, 64>>>(value, 64);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout;
}
)");
  const auto hazards = json::parse(traced_program{endless}.report("LAB_SIM_LIMIT=1"))["hazards"];
  REQUIRE(hazards.size() == 1);
  CHECK(hazards[0]["kind"] == "hang");
  CHECK(hazards[0]["line"] == 4);
  CHECK(hazards[0]["message"] == "still runs after 1 s; the grid is 2 blocks of 64 threads");
}

TEST_CASE("memory that a static variable keeps for the next call is no leak") {
  const folder scratch;
  const auto keeps = scratch.write("keeps.cu", R"(
static float* kept = nullptr;
int main() {
  float* lost;
  cudaMalloc(&kept, 64);
  cudaMalloc(&lost, 128);
  return 0;
}
)");
  const auto report = json::parse(traced_program{keeps}.report("LAB_SIM_LEAKS=1"));
  const auto& hazards = report["hazards"];
  REQUIRE(hazards.size() == 1);
  CHECK(hazards[0]["kind"] == "leak");
  CHECK(hazards[0]["line"] == 6);
  CHECK(report["kept"] == 1);
}

TEST_CASE("a stream or an event that is never destroyed is a leak, unless a static variable keeps it") {
  const folder scratch;
  const auto loses = scratch.write("loses.cu", R"(
static cudaStream_t kept;
int main() {
  cudaStream_t lost, destroyed;
  cudaEvent_t forgotten, gone;
  cudaStreamCreate(&kept);
  cudaStreamCreate(&destroyed);
  cudaStreamCreateWithFlags(&lost, cudaStreamNonBlocking);
  cudaEventCreate(&forgotten);
  cudaEventCreateWithFlags(&gone, cudaEventDisableTiming);
  cudaStreamDestroy(destroyed);
  cudaEventDestroy(gone);
  return 0;
}
)");
  const auto hazards = json::parse(traced_program{loses}.report("LAB_SIM_LEAKS=1"))["hazards"];
  REQUIRE(hazards.size() == 2);
  CHECK(hazards[0]["kind"] == "leak");
  CHECK(hazards[0]["line"] == 8);
  CHECK(hazards[0]["message"] == "the stream is never destroyed");
  CHECK(hazards[1]["line"] == 9);
  CHECK(hazards[1]["message"] == "the event is never destroyed");
}

TEST_CASE("memory that a reset of the device frees is a leak, also if a static variable keeps its address") {
  const folder scratch;
  const auto resets = scratch.write("resets.cu", R"(
static float* kept = nullptr;
int main() {
  float *lost, *freed;
  cudaStream_t stream;
  cudaMalloc(&kept, 64);
  cudaMalloc(&lost, 128);
  cudaMalloc(&freed, 256);
  cudaStreamCreate(&stream);
  cudaFree(freed);
  cudaDeviceReset();
  cudaMalloc(&lost, 512);
  return 0;
}
)");
  const auto hazards = json::parse(traced_program{resets}.report("LAB_SIM_LEAKS=1"))["hazards"];
  std::vector<int> lines;
  for (const auto& h : hazards) {
    CHECK(h["kind"] == "leak");
    CHECK(h["count"] == 1);
    lines.push_back(h["line"]);
  }
  std::ranges::sort(lines);
  CHECK(lines == std::vector{6, 7, 9, 12});
}

TEST_CASE("memory that a program neither frees nor wants to free after a fault is a leak") {
  const folder scratch;
  const auto source = scratch.write("stops.cu", R"(
__global__ void writes(int* p) { p[0] = 1; }
int main() {
  int *lost, *wanted_to_free;
  cudaMalloc(&lost, 64);
  cudaMalloc(&wanted_to_free, 64);
  writes<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  cudaFree(wanted_to_free);
}
)");
  const traced_program program{source};
  const auto hazards = json::parse(program.report("LAB_SIM_LEAKS=always"))["hazards"];
  REQUIRE(hazards.size() == 2);
  CHECK(hazards[0]["kind"] == "out_of_bounds");
  CHECK(summary(hazards[1]) == "warning leak 5 0");
  CHECK(json::parse(program.report("LAB_SIM_LEAKS=1"))["hazards"].size() == 1);
}

TEST_CASE("an allocation that fails is a warning at its line") {
  const folder scratch;
  const auto source = scratch.write("asks.cu", R"(
int main() {
  void *p, *q;
  cudaMalloc(&p, 64);
  int n = 45;
  while (cudaMalloc(&q, 1ull << n) != cudaSuccess) n -= 25;
  cudaFree(p);
  return n != 20;
}
)");
  const auto hazards = json::parse(traced(source))["hazards"];
  REQUIRE(hazards.size() == 1);
  CHECK(summary(hazards[0]) == "warning launch_error 6 0");
  CHECK(hazards[0]["message"].get<std::string>().starts_with("no memory for 35184372088832 bytes: the device has "));
}

TEST_CASE("a long loop of a thread that is alone in its warp needs little memory") {
  const folder scratch;
  scratch.write("alone.cu", R"(
#include <sys/resource.h>
#include <cstdio>
__global__ void adds(int* p, int n) {
  for (int i = 0; i < n; ++i) p[i % 8] += i;
}
int main() {
  int* p;
  cudaMalloc(&p, 32);
  cudaMemset(p, 0, 32);
  adds<<<1, 1>>>(p, 100000);
  cudaDeviceSynchronize();
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  adds<<<1, 1>>>(p, 400000);
  cudaDeviceSynchronize();
  getrusage(RUSAGE_SELF, &after);
  cudaFree(p);
  return after.ru_maxrss - before.ru_maxrss > 50000;  // KB
}
)");
  const auto at = "cd " + scratch.path.string() + " && ";
  REQUIRE(run(at + LABCC + " --trace alone.cu -o alone && LAB_SIM_JSON=r timeout 60 ./alone").status == 0);
  const auto report = json::parse(contents(scratch.path / "r"));
  CHECK(report["hazards"].empty());
  std::uint64_t requests = 0;
  for (const auto& launch : report["launches"])
    for (const auto& line : launch["lines"]) requests += line["requests"].get<std::uint64_t>();
  CHECK(requests == 2 * 500000);
}

TEST_CASE("host threads that copy and launch at the same time, each in its own stream, have no race") {
  const folder scratch;
  scratch.write("threads.cu", R"(
#include <thread>
#include <vector>
__global__ void inc(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i]++;
}
void work(bool* right, int id) {
  const int n = 20000;
  cudaStream_t stream;
  int *device, *host;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = id + i;
  for (int round = 0; round < 10; ++round) {
    cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    inc<<<(n + 511) / 512, 512, 0, stream>>>(device, n);
    cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  }
  cudaStreamSynchronize(stream);
  *right = true;
  for (int i = 0; i < n; ++i) *right = *right && host[i] == id + i + 10;
  cudaFree(device);
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
}
int main() {
  bool right[6];
  std::vector<std::thread> all;
  for (int i = 0; i < 6; ++i) all.emplace_back(work, right + i, i);
  for (auto& one : all) one.join();
  for (bool each : right)
    if (!each) return 1;
}
)");
  const auto at = "cd " + scratch.path.string() + " && ";
  REQUIRE(run(at + LABCC + " --trace threads.cu -o threads").status == 0);
  const auto ran = run(at + "LAB_SIM_JSON=r timeout 60 ./threads");
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK(json::parse(contents(scratch.path / "r"))["hazards"].empty());
}

TEST_CASE("the constructor of an object in shared memory gives its table of virtual functions a value") {
  const folder scratch;
  const auto source = scratch.write("placed.cu", R"(
#include <new>
struct base {
  int value = 0;
  __device__ virtual int twice() const { return 2 * value; }
};
struct derived : base {
  __device__ derived() { value = 21; }
  __device__ int twice() const override { return 2 * value + 1; }
};
__global__ void places(int* out, bool first) {
  __shared__ alignas(8) unsigned char place[sizeof(derived)];
  base* const object = reinterpret_cast<base*>(place);
  if (threadIdx.x == 0) {
    if (first) new (place) base;
    else new (place) derived;
  }
  __syncthreads();
  out[threadIdx.x] = object->twice();
}
int main(int argc, char**) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  places<<<1, 64>>>(out, argc > 1);
  cudaDeviceSynchronize();
  cudaFree(out);
}
)");
  CHECK(json::parse(traced(source))["hazards"].empty());
}

TEST_CASE("a race between two files names both") {
  const folder scratch;
  scratch.write("reader.cuh", "__device__ inline void shift(int* p, int i) { p[i + 64] = p[i + 1]; }\n");
  const auto source = scratch.write("writer.cu", R"(#include "reader.cuh"
__global__ void moves(int* p) {
  p[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 63) shift(p, threadIdx.x);
}
int main() {
  int* p;
  cudaMalloc(&p, 1024);
  cudaMemset(p, 0, 1024);
  moves<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
)");
  const auto hazards = json::parse(traced(source))["hazards"];
  REQUIRE(hazards.size() == 1);
  const std::string one = hazards[0]["file"], other = hazards[0]["other_file"];
  CHECK(std::set{one, other} == std::set<std::string>{"reader.cuh", "writer.cu"});
  const auto binary = (scratch.path / "program").string();
  REQUIRE(run(std::string{LABCC} + " --trace " + source.string() + " -o " + binary).status == 0);
  const auto printed = run(binary).out;
  CHECK(printed.find("reader.cuh:1") != std::string::npos);
  CHECK(printed.find("writer.cu:3") != std::string::npos);
}

TEST_CASE("a grid with far too many blocks ends at the limit, too") {
  const folder scratch;
  const auto oversized = scratch.write("oversized.cu", R"(
__global__ void stores(int* value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) value[i] = i;
}
int main() {
  int* value;
  cudaMalloc(&value, 64 * sizeof(int));
  stores<<<2000000000, 64>>>(value, 64);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout;
}
)");
  const auto hazards = json::parse(traced_program{oversized}.report("LAB_SIM_LIMIT=1"))["hazards"];
  REQUIRE(hazards.size() == 1);
  CHECK(hazards[0]["kind"] == "hang");
  CHECK(hazards[0]["message"] == "still runs after 1 s; the grid is 2000000000 blocks of 64 threads");
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
