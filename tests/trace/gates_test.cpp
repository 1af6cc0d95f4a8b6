#include "trace/gates.hpp"

#include <nlohmann/json.hpp>

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
          .sectors_ideal = ideal,
          .most_sectors_per_request = double(sectors) / double(std::max(requests, (ideal + 3) / 4))};
}

line_traffic shared_access(int line, const std::string& op, std::uint64_t conflicts) {
  return {.file = "k.cu", .line = line, .op = op, .space = "shared", .requests = 10, .bank_conflicts = conflicts};
}

launch of(const std::string& kernel, std::vector<line_traffic> lines) {
  return {.kernel = kernel, .lines = std::move(lines)};
}

gate_result measured(const gate& g, const trace_report& r) { return measure(g, r, "/nowhere/k.cu"); }

}  // namespace

TEST_CASE("sectors per request are those of the worst line of all launches that a gate names", "[gates]") {
  const trace_report r{{of("good", {global_load(1, 100, 400, 400)}), of("bad", {global_load(2, 10, 200, 40)})}, {}};
  const gate g{.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 4};
  const auto result = measured(g, r);
  CHECK(result.value == 20);
  CHECK_FALSE(result.passed);
  CHECK(result.line == 2);
  CHECK(measured({.metric = g.metric, .at = {1}, .limit = 4, .kernel = "good"}, r).passed);
}

TEST_CASE("sectors per request are those of the worst line, however many cheap lines stand beside it", "[gates]") {
  const trace_report r{
      {of("k", {global_load(1, 1000, 4000, 4000), global_load(2, 10, 320, 40), global_load(3, 1000, 4000, 4000)})}, {}};
  const auto result = measured({.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 31}, r);
  CHECK(result.value == 32);
  CHECK_FALSE(result.passed);
  CHECK(result.line == 2);
  CHECK(diagnosis_of(result) == diagnosis_kind::uncoalesced);
}

TEST_CASE("a gate on loads counts no store, no atomic and no shared memory, and one on stores no load", "[gates]") {
  const auto other = [](const std::string& op, const std::string& space) {
    auto a = global_load(9, 10, 320, 40);
    a.op = op;
    a.space = space;
    return a;
  };
  const trace_report loads{{of("k", {global_load(1, 10, 40, 40), other("store", "global"), other("atomic", "global"),
                                     other("load", "shared")})},
                           {}};
  CHECK(measured({.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 4}, loads).value == 4);
  CHECK(measured({.metric = traffic::store_sectors_per_request, .at = {1}, .limit = 4}, loads).value == 32);
  CHECK(measured({.metric = traffic::load_requests, .at = {1}, .limit = 4}, loads).value == 10);
  CHECK(measured({.metric = traffic::load_sectors, .at = {1}, .limit = 4}, loads).value == 40);
}

TEST_CASE("requests of shared memory are the instructions of all its loads and stores, not of global memory",
          "[gates]") {
  auto store = shared_access(3, "store", 0);
  store.requests = 40;
  const trace_report r{{of("k", {global_load(1, 100, 400, 400), shared_access(2, "load", 0), store})}, {}};
  const auto result = measured({.metric = traffic::shared_requests, .at = {1}, .limit = 49}, r);
  CHECK(result.value == 50);
  CHECK(result.line == 3);
  CHECK(result.message.find("50 requests of shared memory") != std::string::npos);
  CHECK(diagnosis_of(result) == diagnosis_kind::wasted_work);
}

TEST_CASE("what launches come to adds up over them, and occupancy is that of the worst", "[gates]") {
  launch a = of("a", {global_load(1, 10, 40, 40)}), b = a;
  a.grid = {2, 3, 1}, a.block = {32, 4, 1}, a.block_barriers = 6, a.global_atomics = 7, a.shared_atomics = 8;
  a.requests = 10, a.lanes = 320, a.occupancy = 1;
  b.grid = {5, 1, 1}, b.block = {64, 1, 1}, b.requests = 10, b.lanes = 160, b.occupancy = 0.25;
  const trace_report r{{a, b}, {}};
  const auto value = [&](traffic metric) { return measured({.metric = metric, .at = {1}}, r).value; };
  CHECK(value(traffic::launches) == 2);
  CHECK(value(traffic::blocks) == 11);
  CHECK(value(traffic::threads) == 6 * 128 + 5 * 64);
  CHECK(value(traffic::block_barriers) == 6);
  CHECK(value(traffic::global_atomics) == 7);
  CHECK(value(traffic::shared_atomics) == 8);
  CHECK(value(traffic::active_lanes) == 24);
  CHECK(value(traffic::occupancy) == 0.25);
}

TEST_CASE("load requests per warp are those of the launch whose warps load most, and too many need more blocks",
          "[gates]") {
  launch few = of("k", {global_load(1, 60, 60, 60), global_load(2, 4, 4, 4), shared_access(3, "load", 0)}), many = few;
  few.grid = {2, 1, 1}, few.block = {32, 4, 1};
  many.grid = {8, 4, 1}, many.block = {40, 1, 1};  // two warps, one of them with 8 threads
  const trace_report r{{many, few}, {}};
  const gate g{.metric = traffic::load_requests_per_warp, .at = {1}, .limit = 7, .why = "Divide the sum."};
  const auto result = measured(g, r);
  CHECK(result.value == 8);
  CHECK_FALSE(result.passed);
  CHECK(diagnosis_of(result) == diagnosis_kind::too_few_blocks);
  CHECK(result.message.find("8 load requests per warp at 1, but at most 7 pass") != std::string::npos);
  CHECK(measured(g, {{many}, {}}).value == 1);
}

TEST_CASE("kernels that may run at the same time are the most of any launch, and too few are serialized", "[gates]") {
  launch first = of("k", {}), second = first, last = first;
  second.concurrent = 3;
  const trace_report r{{first, second, last}, {}};
  const gate g{.metric = traffic::concurrent_launches, .at = {1}, .least = 4, .why = "Use four streams."};
  const auto result = measured(g, r);
  CHECK(result.value == 3);
  CHECK_FALSE(result.passed);
  CHECK(diagnosis_of(result) == diagnosis_kind::serialized);
  CHECK(result.message.find("3 kernels that may run at the same time at 1, but at least 4 pass") != std::string::npos);
  CHECK(measured({.metric = g.metric, .at = {1}, .least = 3}, r).passed);
  CHECK(measured(g, {{last}, {}}).message.find("1 kernel that may run at the same time at 1, but") == 0);
}

TEST_CASE("a gate can demand a least value: less traffic than the problem needs was not on the device", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 40, 40)})}, {}};
  const gate g{.metric = traffic::sectors, .at = {1}, .least = 41, .why = "Work on the device."};
  const auto result = measured(g, r);
  CHECK_FALSE(result.passed);
  CHECK(diagnosis_of(result) == diagnosis_kind::not_on_device);
  CHECK(result.message.find("40 sectors of global memory at 1, but at least 41 pass") != std::string::npos);
  CHECK(measured({.metric = traffic::sectors, .at = {1}, .least = 40}, r).passed);
  const auto nothing = measured(g, trace_report{});
  CHECK_FALSE(nothing.passed);
  CHECK(nothing.message.find("no kernel was launched") != std::string::npos);
}

TEST_CASE("a gate whose violation costs next to nothing is a remark, and a costly one says what it costs", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 320, 40)})}, {}};
  gate g{.metric = traffic::load_sectors_per_request, .at = {1}, .limit = 4, .costs = 1.04};
  CHECK(measured(g, r).remark);
  g.costs = 4.4;
  CHECK_FALSE(measured(g, r).remark);
  CHECK(measured(g, r).message.find("4.4 times as long") != std::string::npos);
  g.costs = 0;
  CHECK_FALSE(measured(g, r).remark);
}

TEST_CASE("a gate passes at its limit and fails beyond it", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 45, 40)})}, {}};
  const auto at = [&](double limit) {
    return measured({.metric = traffic::load_sectors_per_request, .at = {7}, .limit = limit}, r);
  };
  CHECK(at(4.5).passed);
  CHECK(at(4.5).message.empty());
  CHECK(at(4.5).line == 0);
  CHECK_FALSE(at(4.49).passed);
  const auto shown = to_json(at(4.49));
  CHECK(shown["metric"] == "load_sectors_per_request");
  CHECK(shown["size"] == "7");
  CHECK(shown["limit"] == 4.49);
  CHECK(shown["value"] == 4.5);
  CHECK(shown["passed"] == false);
  CHECK(shown["file"] == "k.cu");
  CHECK(shown["line"] == 1);
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
  const auto worst = measured({.metric = traffic::load_sectors, .at = {1}, .limit = 99}, r);
  CHECK(worst.line == 2);
  CHECK(diagnosis_of(worst) == diagnosis_kind::redundant_loads);
}

TEST_CASE("bank conflicts add up over launches, but only of the kernels that a gate names", "[gates]") {
  const trace_report r{{of("tile_a", {shared_access(3, "store", 5)}), of("tile_b", {shared_access(4, "load", 7)}),
                        of("other", {shared_access(5, "load", 100)})},
                       {}};
  const auto conflicts = [&](const std::string& kernel) {
    return measured({.metric = traffic::bank_conflicts, .at = {1}, .limit = 0, .kernel = kernel}, r);
  };
  CHECK(conflicts("").value == 112);
  CHECK(conflicts("").line == 5);
  CHECK(conflicts("tile").value == 12);
  CHECK(conflicts("tile").line == 4);
  CHECK(conflicts("tile_a").value == 5);
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

TEST_CASE("a limit of wavefronts that only conflicts exceed is about conflicts, else about loads", "[gates]") {
  auto read = shared_access(3, "load", 310);
  read.wavefronts = 320;
  const trace_report conflicting{{of("k", {read})}, {}};
  const gate g{.metric = traffic::shared_wavefronts, .at = {1}, .limit = 20};
  CHECK(diagnosis_of(measured(g, conflicting)) == diagnosis_kind::bank_conflicts);
  read.bank_conflicts = 0;
  const trace_report many{{of("k", {read})}, {}};
  CHECK(diagnosis_of(measured(g, many)) == diagnosis_kind::redundant_loads);
}

TEST_CASE("conflicts of all shared accesses together, and of no others, explain too many wavefronts", "[gates]") {
  auto first = shared_access(3, "load", 150), second = shared_access(4, "load", 160),
       global = global_load(5, 10, 40, 40);
  first.wavefronts = second.wavefronts = 170;
  global.bank_conflicts = 400;
  const gate g{.metric = traffic::shared_wavefronts, .at = {1}, .limit = 30};
  CHECK(diagnosis_of(measured(g, {{of("k", {first, second})}, {}})) == diagnosis_kind::bank_conflicts);
  second.bank_conflicts = 0;
  CHECK(diagnosis_of(measured(g, {{of("k", {first, second, global})}, {}})) == diagnosis_kind::redundant_loads);
}

TEST_CASE("a limit of sectors that only scattered loads exceed is about coalescing", "[gates]") {
  const gate g{.metric = traffic::load_sectors, .at = {1}, .limit = 50};
  CHECK(diagnosis_of(measured(g, {{of("k", {global_load(1, 10, 320, 40)})}, {}})) == diagnosis_kind::uncoalesced);
  CHECK(diagnosis_of(measured(g, {{of("k", {global_load(1, 80, 320, 320)})}, {}})) == diagnosis_kind::redundant_loads);
}

TEST_CASE("a gate on a kernel that was never launched fails", "[gates]") {
  const auto none = measured({.metric = traffic::load_sectors, .at = {1}, .limit = 9, .kernel = "x"}, {});
  CHECK_FALSE(none.passed);
  CHECK(none.message.find("no kernel was launched whose name contains \"x\"") != std::string::npos);
  CHECK_FALSE(measured({.metric = traffic::load_sectors, .at = {1}, .limit = 9}, {}).passed);
}

TEST_CASE("a kernel without the traffic that a gate limits is within it", "[gates]") {
  const trace_report r{{of("k", {global_load(1, 10, 40, 40)})}, {}};
  CHECK(measured({.metric = traffic::store_sectors_per_request, .at = {1}, .limit = 4}, r).passed);
  CHECK(measured({.metric = traffic::bank_conflicts, .at = {1}, .limit = 0}, r).passed);
}

TEST_CASE("every kind of hazard has a verdict that fails, a diagnosis and advice", "[hazards]") {
  for (const auto kind : sim::hazard_words) {
    const hazard h{.kind = std::string{kind}, .space = "shared"};
    INFO(kind);
    CHECK(verdict_of(h) != verdict_kind::pass);
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

TEST_CASE("a race between two files is described with a line of each", "[hazards]") {
  const std::filesystem::path source = TEST_KERNELS "/race_right_by_luck.cu";
  const auto text = describe({.kind = "race",
                              .severity = "error",
                              .kernel = "twice_kernel",
                              .file = "race_right_by_luck.cu",
                              .space = "shared",
                              .message = "they meet",
                              .line = 7,
                              .other_line = 7,
                              .other_file = "helpers.cuh"},
                             source);
  for (const auto* part : {"race_right_by_luck.cu:7  if (i < n)", "\n  helpers.cuh:7\n"}) {
    INFO(part << " in " << text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("the simulator's report is read, and what is none is refused", "[trace_report]") {
  const auto r =
      parse_report(R"({"schema":1,"launches":[{"kernel":"k","grid":[3,2,1],"block":[32,8,1],"metrics":{"m":7},
    "barriers":{"block":5},"occupancy":{"theoretical":0.5,"device":"d","waves":0.25},"concurrent_launches":3,
    "atomics":[{"space":"global","lanes":7},{"space":"shared","lanes":9}],
    "lines":[{"file":"k.cu","line":4,"op":"load","space":"global","requests":1,"sectors":2,"sectors_ideal":3,
    "wavefronts":4,"wavefronts_ideal":5}],
    "executed":[{"file":"k.cu","line":9,"op":"barrier","space":"","repeated":true}]}],"hazards":[{"kind":"race","severity":"error","kernel":"k","file":"k.cu",
    "line":4,"other_line":0,"block":[0,1,0],"thread":[5,0,0],"space":"shared","message":"m"}]})");
  REQUIRE(r.launches.size() == 1);
  CHECK(r.launches[0].grid == std::array{3, 2, 1});
  CHECK(r.launches[0].lines.at(0).sectors_ideal == 3);
  CHECK(r.launches[0].executed.at(0).line == 9);
  CHECK(r.launches[0].block_barriers == 5);
  CHECK(r.launches[0].global_atomics == 7);
  CHECK(r.launches[0].shared_atomics == 9);
  CHECK(r.launches[0].occupancy == 0.5);
  CHECK(r.launches[0].concurrent == 3);
  CHECK(r.launches[0].waves == 0.25);
  CHECK(r.launches[0].device == "d");
  CHECK(r.launches[0].executed.at(0).repeated);
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
