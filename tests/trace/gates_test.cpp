#include "trace/gates.hpp"

#include "catch.hpp"
#include "judge/trace_phase.hpp"
#include "sim/hazard_kinds.hpp"
#include "trace/hazard_message.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

line_traffic global_load(int line, std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal) {
  return {.file = "k.cu",
          .line = line,
          .op = "load",
          .space = "global",
          .requests = requests,
          .sectors = sectors,
          .sectors_ideal = ideal};
}

line_traffic shared_access(int line, const std::string& op, std::uint64_t conflicts) {
  return {.file = "k.cu", .line = line, .op = op, .space = "shared", .requests = 10, .bank_conflicts = conflicts};
}

launch of(const std::string& kernel, std::vector<line_traffic> lines) {
  return {.kernel = kernel, .lines = std::move(lines)};
}

gate_result measured(const gate& g, const trace_report& r) { return measure(g, r, "/nowhere/k.cu"); }

}  // namespace

TEST_CASE("sectors per request are those of the worst launch", "[gates]") {
  const trace_report r{{of("good", {global_load(1, 100, 400, 400)}), of("bad", {global_load(2, 10, 200, 40)})}, {}};
  const gate g{.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 4};
  const auto result = measured(g, r);
  CHECK(result.value == 20);
  CHECK_FALSE(result.passed);
  CHECK(result.line == 2);
  CHECK(measured({.metric = g.metric, .at = {1}, .limit = 4, .kernel = "good"}, r).passed);
}

TEST_CASE("a request for 16 bytes a lane counts as four", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 160, 160)})}, {}};
  CHECK(measured({.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 4}, r).value == 4);
}

TEST_CASE("totals add up over launches", "[gates]") {
  const trace_report r{{of("a", {global_load(1, 10, 40, 40)}), of("b", {global_load(2, 30, 60, 60)})}, {}};
  CHECK(measured({.metric = traffic::load_sectors, .at = {1}, .limit = 99}, r).value == 100);
  CHECK(measured({.metric = traffic::load_requests, .at = {1}, .limit = 40}, r).passed);
  CHECK_FALSE(measured({.metric = traffic::load_requests, .at = {1}, .limit = 39}, r).passed);
}

TEST_CASE("bank conflicts of loads and stores count, and the worse line is named", "[gates]") {
  const trace_report r{{of("k", {shared_access(3, "store", 5), shared_access(7, "load", 9)})}, {}};
  const auto result = measured({.metric = traffic::bank_conflicts, .at = {1}, .limit = 0, .why = "Pad it."}, r);
  CHECK(result.value == 14);
  CHECK(result.line == 7);
  CHECK(result.message.find("14 bank conflicts") != std::string::npos);
  CHECK(result.message.find("k.cu:7") != std::string::npos);
  CHECK(result.message.find("Pad it.") != std::string::npos);
  CHECK(diagnosis_of(result) == diagnosis_kind::bank_conflicts);
}

TEST_CASE("a gate on a kernel that was never launched fails", "[gates]") {
  CHECK_FALSE(measured({.metric = traffic::load_sectors, .at = {1}, .limit = 9, .kernel = "x"}, {}).passed);
  CHECK_FALSE(measured({.metric = traffic::load_sectors, .at = {1}, .limit = 9}, {}).passed);
}

TEST_CASE("a kernel without the traffic that a gate limits is within it", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 40, 40)})}, {}};
  CHECK(measured({.metric = traffic::store_sectors_per_request, .at = {1}, .limit = 4}, r).passed);
  CHECK(measured({.metric = traffic::bank_conflicts, .at = {1}, .limit = 0}, r).passed);
}

TEST_CASE("every kind of hazard has a verdict that fails, a diagnosis and advice, but a leak only warns", "[hazards]") {
  for (const auto kind : sim::hazard_words) {
    const hazard h{.kind = std::string{kind}, .space = "shared"};
    INFO(kind);
    CHECK((verdict_of(h) == verdict_kind::pass) == (kind == "leak"));
    CHECK(diagnosis_of(h) != diagnosis_kind::none);
    CHECK(advice_for(h).size() > 20);
  }
  CHECK(advice_for({.kind = "race", .space = "global"}) != advice_for({.kind = "race", .space = "shared"}));
}

TEST_CASE("a hazard is described with both lines of the student's own file", "[hazards]") {
  const std::filesystem::path source = TEST_KERNELS "/race_right_by_luck.cu";
  const auto text = describe({.kind = "race",
                              .severity = "error",
                              .kernel = "twice_kernel",
                              .file = "race_right_by_luck.cu",
                              .space = "shared",
                              .message = "they meet",
                              .line = 7,
                              .other_line = 8,
                              .thread = {32, 0, 0},
                              .count = 3},
                             source);
  for (const auto* part : {"race in twice_kernel, shared memory", ":7  if (i < n) shared[t] = in[i];", ":8  if (t > 0",
                           "they meet", "thread (32, 0, 0); seen 3 times", "__syncthreads()"}) {
    INFO(part << " in " << text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("the simulator's report is read, and what is none is refused", "[trace_report]") {
  const auto r =
      parse_report(R"({"schema":1,"launches":[{"kernel":"k","grid":[3,2,1],"block":[32,8,1],"metrics":{"m":7},
    "lines":[{"file":"k.cu","line":4,"op":"load","space":"global","requests":1,"sectors":2,"sectors_ideal":3,
    "wavefronts":4,"wavefronts_ideal":5}]}],"hazards":[{"kind":"race","severity":"error","kernel":"k","file":"k.cu",
    "line":4,"other_line":0,"block":[0,1,0],"thread":[5,0,0],"space":"shared","message":"m"}]})");
  REQUIRE(r.launches.size() == 1);
  CHECK(r.launches[0].grid == std::array{3, 2, 1});
  CHECK(r.launches[0].lines.at(0).sectors_ideal == 3);
  REQUIRE(r.hazards.size() == 1);
  CHECK(r.hazards[0].thread[0] == 5);
  CHECK(to_json(r.launches[0])["lines"][0]["wavefronts"] == 4);
  for (const auto* text : {"", "{", "[]", R"({"launches":[]})", R"({"launches":[{"kernel":7}],"hazards":[]})"})
    CHECK_THROWS_AS(parse_report(text), nlohmann::json::exception);
}

TEST_CASE("a report that was made up takes neither memory nor time without end", "[trace_report]") {
  const std::string one =
      R"({"kind":"race","severity":"error","kernel":"k","file":"k.cu","line":4,"other_line":0,"block":[0,1,0],)"
      R"("thread":[5,0,0],"space":"shared","message":"m"})";
  std::string all = R"({"launches":[],"hazards":[)" + one;
  for (int i = 0; i < 5000; ++i) all += "," + one;
  CHECK(parse_report(all + "]}").hazards.size() == 100);
  CHECK_THROWS_AS(parse_report(std::string(16 << 20, '[')), nlohmann::json::exception);
}
