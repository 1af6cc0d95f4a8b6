#include "trace/ncu.hpp"

#include <fstream>

#include "catch.hpp"
#include "text/csv.hpp"
#include "trace/line_comparison.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

std::string sample(const std::string& name) {
  std::ifstream file{std::string{TEST_FOLDER "/data/"} + name};
  return {std::istreambuf_iterator<char>{file}, {}};
}

const line_traffic& line_of(const launch& l, int line, std::string_view op) {
  for (const auto& a : l.lines)
    if (a.line == line && a.op == op) return a;
  FAIL("no " << op << " on line " << line);
  return l.lines.front();
}

std::string refusal_of(const std::string& raw, const std::string& source) {
  try {
    parse_ncu(raw, source);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("commas, line ends and quotes inside quotes belong to the field", "[csv]") {
  const auto rows = parse_csv("a,\"b,c\",\"d\"\"e\"\r\n\"f\ng\",,h\n\nlast");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == std::vector<std::string>{"a", "b,c", "d\"e"});
  CHECK(rows[1] == std::vector<std::string>{"f\ng", "", "h"});
  CHECK(rows[2] == std::vector<std::string>{"last"});
}

TEST_CASE("each launch of Nsight Compute's raw page has its kernel, its shape and its metrics", "[ncu]") {
  const auto r = parse_ncu(sample("ncu_raw.csv"), sample("ncu_source.csv"));
  REQUIRE(r.launches.size() == 2);
  CHECK(r.launches[0].kernel == "transpose_kernel<(int)32>");
  CHECK(r.launches[0].grid == std::array{3, 2, 1});
  CHECK(r.launches[0].block == std::array{32, 8, 1});
  CHECK(r.launches[0].metrics.at("memory_l2_theoretical_sectors_global") == 6912);
  CHECK(r.launches[1].metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == 128);
}

TEST_CASE("the instructions of a source line are added up by what they access, each counted once", "[ncu]") {
  const auto r = parse_ncu(sample("ncu_raw.csv"), sample("ncu_source.csv"));
  const auto& first = r.launches.at(0);
  CHECK(first.lines.size() == 3);
  const auto& load = line_of(first, 15, "load");
  CHECK(load.file == "kernel.cu");
  CHECK(load.requests == 192);
  CHECK(load.sectors == 768);
  CHECK(load.sectors_ideal == 768);
  const auto& store = line_of(first, 15, "store");
  CHECK(store.sectors == 6144);
  CHECK(store.sectors_ideal == 768);
}

TEST_CASE("an inlined header's shared accesses keep their own file", "[ncu]") {
  const auto r = parse_ncu(sample("ncu_raw.csv"), sample("ncu_source.csv"));
  const auto& shared = line_of(r.launches.at(0), 7, "load");
  CHECK(shared.file == "helper.h");
  CHECK(shared.space == "shared");
  CHECK(shared.wavefronts == 320);
  CHECK(shared.bank_conflicts == 310);
  CHECK(shared.wavefronts_ideal == 10);
}

TEST_CASE("the same file again is the next launch, and what was never executed is left out", "[ncu]") {
  const auto r = parse_ncu(sample("ncu_raw.csv"), sample("ncu_source.csv"));
  CHECK(r.launches.at(1).lines.size() == 2);
  CHECK(line_of(r.launches.at(1), 15, "load").requests == 32);
}

TEST_CASE("pages that do not belong together, or that are none, are refused with words", "[ncu]") {
  CHECK(refusal_of("==ERROR== no kernels were profiled\n", "").find("Kernel Name") != std::string::npos);
  CHECK(refusal_of(sample("ncu_raw.csv"), "").find("-lineinfo") != std::string::npos);
}

TEST_CASE("a page by sections gives each launch its metrics, zero for what the chip does not have", "[ncu]") {
  const auto launches = parse_ncu_launches(sample("ncu_limits.csv"));
  REQUIRE(launches.size() == 2);
  const auto& matmul = launches[1];
  CHECK(matmul.kernel == "matmul_kernel<(bool)1>");
  CHECK(matmul.metrics.at("gpu__time_duration.sum") == 2700160);
  CHECK(matmul.metrics.at("launch__registers_per_thread") == 232);
  CHECK(matmul.metrics.at("smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio") == 0.6);
  CHECK(launches[0].metrics.at("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active") == 0);
}

TEST_CASE("the text on limits names the busiest units and the longest waits first, as shares", "[ncu]") {
  const profile p{
      .launcher = "matmul", .size = "4096x4096x4096", .report = {parse_ncu_launches(sample("ncu_limits.csv")), {}}};
  const auto text = limits_text(p);
  auto from = text.find("matmul_kernel");
  for (const auto* words : {"2.700 ms", " 84.5  smsp__issue_active.avg\n", " 78.8  sm__pipe_fma_cycles_active.avg\n",
                            " 41.7  selected\n", " 25.0  math_pipe_throttle\n", " 16.7  wait\n"}) {
    INFO("\"" << words << "\" behind what should be before it in\n" << text);
    REQUIRE(from != std::string::npos);
    from = text.find(words, from);
    CHECK(from != std::string::npos);
  }
  CHECK(text.find("long_scoreboard", text.find("matmul_kernel")) == std::string::npos);
}

TEST_CASE("asked for limits, the profiler takes whole sections, and looks at no source line", "[ncu]") {
  const auto command = ncu_command("/tmp/r.ncu-rep", ncu_counts::limits);
  const auto has = [&](const std::string& word) { return std::ranges::find(command, word) != command.end(); };
  CHECK(has("WarpStateStats"));
  CHECK(has("ComputeWorkloadAnalysis"));
  CHECK_FALSE(has("SourceCounters"));
}

TEST_CASE("the profiler is told to keep its report and to count per source line", "[ncu]") {
  const auto command = ncu_command("/tmp/r.ncu-rep", ncu_counts::lines);
  const auto has = [&](const std::string& word) { return std::ranges::find(command, word) != command.end(); };
  CHECK(has("/tmp/r.ncu-rep"));
  CHECK(has("SourceCounters"));
}

TEST_CASE("lines that two back ends count alike agree, and every difference is explained", "[ncu]") {
  const auto load = [](int line, std::uint64_t requests, std::uint64_t sectors) {
    return line_traffic{
        .file = "k.cu", .line = line, .op = "load", .space = "global", .requests = requests, .sectors = sectors};
  };
  const std::vector<line_traffic> simulated{load(1, 8, 32), load(2, 8, 32), load(3, 8, 32), load(4, 8, 32)};
  const std::vector<line_traffic> measured{load(1, 8, 32), load(2, 2, 32), load(3, 9, 32), load(5, 1, 4)};
  const auto all = compare_lines(simulated, measured);
  REQUIRE(all.size() == 5);
  CHECK(all[0].why.empty());
  CHECK(all[1].why.find("merged") == 0);
  CHECK(all[2].why.find("no lane active") != std::string::npos);
  CHECK(all[3].why.find("register") != std::string::npos);
  CHECK(all[3].measured == nullptr);
  CHECK(all[4].simulated == nullptr);
  CHECK(all[4].place.line == 5);
}

TEST_CASE("an atomic counted in CUDA's header returns to the only line that can have called it", "[ncu]") {
  const line_traffic atomic{.file = "k.cu", .line = 7, .op = "atomic", .space = "global", .requests = 4, .sectors = 4};
  const line_traffic load{.file = "k.cu", .line = 6, .op = "load", .space = "global", .requests = 4, .sectors = 16};
  auto inlined = atomic;
  inlined.file = "device_atomic_functions.hpp";
  inlined.line = 107;

  std::vector<line_traffic> measured{inlined, load};
  return_from_headers({load, atomic}, measured);
  for (const auto& c : compare_lines({load, atomic}, measured)) CHECK(c.why.empty());

  auto other = atomic;
  other.line = 9;
  measured = {inlined, load};
  return_from_headers({load, atomic, other}, measured);
  REQUIRE(measured.size() == 2);
  CHECK(line_of({.lines = measured}, 107, "atomic").file == "device_atomic_functions.hpp");
  CHECK(compare_lines({load, atomic, other}, measured)[1].why.find("header") != std::string::npos);
}
