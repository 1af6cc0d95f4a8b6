#include "judge/trace_phase.hpp"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "trace/profile.hpp"
#include "trace/traced_call.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

lab::entry gated_lab() {
  auto lab = twice_lab();
  lab.definition.launchers[0].gates = {
      {.metric = lab::traffic::load_sectors_per_request, .at = {2048}, .limit = 4, .why = "Be neighbours."}};
  return lab;
}

check_result traced(const lab::entry& lab, const std::string& name) {
  check_options o;
  o.seed = 11;
  return check(lab, kernel(name), o);
}

}  // namespace

TEST_CASE("a kernel that is right by luck gets the verdict of its hazard, with its own line and advice", "[tracing]") {
  struct expectation {
    std::string kernel;
    lab::verdict_kind verdict;
    std::string kind, diagnosis, line, advice;
  };
  const std::vector<expectation> all{
      {"race_right_by_luck", verdict_kind::race, "race", "missing_barrier", "if (i < n) shared[t] = in[i];",
       "__syncthreads"},
      {"reads_too_far", verdict_kind::out_of_bounds, "out_of_bounds", "missing_guard", "const int next = in[i + 1];",
       "last block"},
      {"looks_at_its_output", verdict_kind::uninitialized_read, "uninitialized_read", "uninitialized_read",
       "const int before = out[i];", "with ="},
  };
  for (const auto& e : all) {
    const auto r = traced(twice_lab(), e.kernel);
    const auto found = failure_of(r);
    INFO(e.kernel << ": " << found.message);
    CHECK(word(r.verdict) == word(e.verdict));
    CHECK(word(found.diagnosis) == e.diagnosis);
    CHECK(contains(found.message, e.line));
    CHECK(contains(found.message, e.advice));
    REQUIRE_FALSE(r.hazards.empty());
    CHECK(r.hazards.front().kind == e.kind);
  }
}

TEST_CASE("a result that depends on the order of the warps passes in one schedule and fails in several", "[tracing]") {
  check_options o;
  o.seed = 11;
  CHECK(check(twice_lab(), kernel("depends_on_the_order"), o).verdict == verdict_kind::pass);
  o.schedules = 4;
  const auto r = check(twice_lab(), kernel("depends_on_the_order"), o);
  CHECK(word(r.verdict) == "nondeterministic");
  REQUIRE(r.hazards.size() == 1);
  CHECK(r.hazards.front().kind == "schedule_dependent");
  CHECK(contains(r.hazards.front().message, "out["));
  o.schedules = 8;
  CHECK(check(twice_lab(), kernel("right"), o).hazards.empty());
}

TEST_CASE("a stray access is told with the name of the parameter that it misses", "[tracing]") {
  CHECK(contains(failure_of(traced(twice_lab(), "reads_too_far")).message, "past the end of `in`"));
}

TEST_CASE("hazards of a kernel with wrong values are listed, and the verdict stays that of the values", "[tracing]") {
  const auto r = traced(twice_lab(), "no_guard");
  CHECK(r.verdict == verdict_kind::out_of_bounds);
  REQUIRE(r.hazards.size() == 1);
  CHECK(r.hazards.front().line == 5);
  CHECK(r.gates.empty());
}

TEST_CASE("a kernel within its gates passes, and the gate says what was counted", "[gates]") {
  const auto r = traced(gated_lab(), "right");
  CHECK(r.verdict == verdict_kind::pass);
  CHECK(r.hazards.empty());
  REQUIRE(r.gates.size() == 1);
  CHECK(r.gates.front().passed);
  CHECK(r.gates.front().value == 4);
}

TEST_CASE("a right but wasteful kernel fails its gate with the line and the number", "[gates]") {
  const auto r = traced(gated_lab(), "elements_in_a_row");
  CHECK(r.verdict == verdict_kind::gate);
  const auto found = failure_of(r);
  CHECK(found.name() == "2048 traced");
  CHECK(word(found.diagnosis) == "uncoalesced");
  for (const auto* part : {"32 sectors per load request", "at most 4", "elements_in_a_row.cu:5", "Be neighbours."}) {
    INFO(part << " in " << found.message);
    CHECK(contains(found.message, part));
  }
}

TEST_CASE("a launcher whose host does the work fails, and none of its gates passes", "[gates]") {
  const auto r = traced(gated_lab(), "computes_on_the_host");
  const auto found = failure_of(r);
  CHECK(word(r.verdict) == "gate");
  CHECK(word(found.diagnosis) == "not_on_device");
  CHECK(contains(found.message, "bytes to the host, but its arrays are on the device"));
  REQUIRE(r.gates.size() == 1);
  CHECK_FALSE(r.gates.front().passed);
}

TEST_CASE("what memcpy stores in a kernel is counted", "[gates]") {
  CHECK(word(traced(gated_lab(), "stores_by_copies").verdict) == "pass");
}

TEST_CASE("accesses of 16 bytes are no waste", "[gates]") {
  CHECK(word(traced(gated_lab(), "vectors").verdict) == "pass");
}

TEST_CASE("a check without tracing looks at values only", "[tracing]") {
  check_options o;
  o.traced = false;
  const auto r = check(gated_lab(), kernel("elements_in_a_row"), o);
  CHECK(r.verdict == verdict_kind::pass);
  CHECK(r.gates.empty());
}

TEST_CASE("the values are told before tracing, and not where nothing is traced", "[tracing]") {
  int told = 0;
  check_options o;
  o.values_known = [&](const check_result& r) {
    ++told;
    CHECK(r.verdict == verdict_kind::pass);
    CHECK(r.coverage.traced.empty());
  };
  CHECK(check(gated_lab(), kernel("elements_in_a_row"), o).coverage.traced.size() == 6);
  CHECK(told == 1);
  check(gated_lab(), kernel("syntax_error"), o);
  CHECK(told == 1);
}

namespace {

// A file that the fixture makes in its traced build, for the process that judges it.
struct trace_mark {
  const std::filesystem::path file = "/tmp/lab-traced-" + std::to_string(getpid());
  trace_mark() { std::filesystem::remove(file); }
  trace_mark(const trace_mark&) = delete;
  trace_mark& operator=(const trace_mark&) = delete;
  ~trace_mark() { std::filesystem::remove(file); }
};

check_result patiently_checked(const std::string& name) {
  check_options o;
  o.timeout_s = 60;
  o.budget_s = 300;
  return check(twice_lab(), kernel(name), o);
}

}  // namespace

TEST_CASE("a kernel is traced while its values are judged", "[tracing]") {
  const trace_mark mark;
  const auto r = patiently_checked("waits_for_its_trace");
  INFO(failure_of(r).message);
  CHECK(word(r.verdict) == "pass");
}

TEST_CASE("a trace that begins early and takes too long is repeated when the values are right", "[tracing]") {
  const trace_mark mark;
  const auto r = patiently_checked("hangs_in_its_first_trace");
  INFO(failure_of(r).message);
  CHECK(word(r.verdict) == "pass");
  CHECK(r.coverage.traced.size() == 5);
}

namespace {

// The traced run of a size is estimated at `factor` accesses for each element.
check_result traced_at_cost(const std::string& name, double factor, bool trace_all = false) {
  auto lab = twice_lab();
  lab.definition.launchers[0].cost = [factor](const problem_size& size) {
    return problem_cost{.operations = factor * size[0]};
  };
  check_options o;
  o.seed = 11;
  o.trace_all = trace_all;
  return check(lab, kernel(name), o);
}

}  // namespace

TEST_CASE("a kernel that only large sizes launch is traced at one of them, and its hazard fails the check",
          "[tracing]") {
  const auto r = traced_at_cost("reads_too_far_at_large_sizes", 1500);
  CHECK(word(r.verdict) == "out_of_bounds");
  REQUIRE_FALSE(r.coverage.traced.empty());
  CHECK(r.coverage.traced.back().size == problem_size{5000});
  CHECK(r.coverage.missing.empty());
}

TEST_CASE("what runs only at a size too large to trace is said, line by line, unless every size is traced",
          "[tracing]") {
  const auto r = traced_at_cost("reads_too_far_at_large_sizes", 5e4);
  CHECK(word(r.verdict) == "pass");
  REQUIRE(r.coverage.missing.size() == 1);
  CHECK(r.coverage.missing[0].size == problem_size{5000});
  CHECK(lines_of(r.coverage.missing[0].places) == "reads_too_far_at_large_sizes.cu:11-12");
  CHECK(word(traced_at_cost("reads_too_far_at_large_sizes", 5e4, true).verdict) == "out_of_bounds");
}

TEST_CASE("a size that is too large even to look at what it executes is named", "[tracing]") {
  const auto r = traced_at_cost("reads_too_far_at_large_sizes", 9e4);
  CHECK(word(r.verdict) == "pass");
  REQUIRE(r.coverage.missing.size() == 1);
  CHECK(r.coverage.missing[0].size == problem_size{5000});
  CHECK(contains(r.coverage.missing[0].why, "--trace-all"));
  CHECK(word(traced_at_cost("reads_too_far_at_large_sizes", 9e4, true).verdict) == "out_of_bounds");
}

TEST_CASE("of a kernel that does not end, the trace names the loop", "[tracing]") {
  const auto r = checked("never_ends", 0.5);
  CHECK(word(r.verdict) == "timeout");
  REQUIRE(r.hazards.size() == 1);
  CHECK(r.hazards[0].kind == "hang");
  CHECK(r.hazards[0].line == 5);
}

TEST_CASE("a check that took its time runs no further case, and says so", "[tracing]") {
  check_options o;
  o.budget_s = 1e-9;
  const auto r = check(twice_lab(), kernel("right"), o);
  CHECK(word(r.verdict) == "timeout");
  CHECK(contains(failure_of(r).message, "--timeout"));
  CHECK(r.cases.size() == 5);
}

TEST_CASE("a kernel that is right and whose trace gets no time, because the check took it, is not called slow",
          "[tracing]") {
  check_options o;
  o.seed = 11;
  o.trace_early = false;
  o.budget_s = 3;
  const auto r = check(twice_lab(), kernel("sleeps_when_traced"), o);
  CHECK(word(r.verdict) == "timeout");
  const auto found = failure_of(r);
  INFO(found.message);
  CHECK(contains(found.message, "the values are right, but:\nNot traced to the end, because the check took its 3 s"));
  CHECK(contains(found.message, "--timeout allows more"));
  CHECK_FALSE(contains(found.message, "no reply"));
}

TEST_CASE("a copy that CUDA refuses is named with its line and with advice about copies", "[tracing]") {
  const auto r = traced(twice_lab(), "copies_too_much");
  CHECK(word(r.verdict) == "launch_error");
  const auto found = failure_of(r);
  INFO(found.message);
  CHECK(contains(found.message, "copies_too_much.cu:12"));
  CHECK(contains(found.message, "out of bounds"));
  CHECK_FALSE(contains(found.message, "1024 threads"));
  CHECK_FALSE(contains(found.message, "copies memory"));
}

TEST_CASE("a buffer that grows from call to call and is not freed before is a leak, and one that is freed is none",
          "[tracing]") {
  const auto loses = traced(twice_lab(), "grows_without_free");
  CHECK(word(loses.verdict) == "pass");
  REQUIRE(loses.hazards.size() == 1);
  CHECK(loses.hazards[0].kind == "leak");
  CHECK(loses.hazards[0].severity == "warning");
  CHECK(loses.hazards[0].line == 11);
  CHECK(contains(loses.hazards[0].message, "the next call, at 5000, lost it"));
  CHECK(traced(twice_lab(), "grows").hazards.empty());

  auto strict = twice_lab();
  strict.definition.errors = {"leak"};
  const auto fails = traced(strict, "grows_without_free");
  CHECK(word(fails.verdict) == "leak");
  CHECK(failure_of(fails).size == problem_size{5000});
}

TEST_CASE("a size that executes what the traced ones do is not traced", "[tracing]") {
  const auto r = traced_at_cost("right", 375);
  CHECK(r.coverage.traced.size() == 4);
  CHECK(r.coverage.missing.empty());
  CHECK(r.coverage.places == 2);
}

TEST_CASE("a profile counts each line of the source", "[profile]") {
  profile_options o;
  o.sizes = {{2048}};
  const auto r = profile_kernel(twice_lab(), kernel("right"), o);
  REQUIRE(r.profiles.size() == 1);
  REQUIRE(r.profiles[0].report.launches.size() == 1);
  const auto& lines = r.profiles[0].report.launches[0].lines;
  REQUIRE(lines.size() == 2);
  for (const auto& a : lines) {
    CHECK(a.line == 5);
    CHECK(a.requests == 64);
    CHECK(a.sectors == 256);
  }
  const auto document = to_json(r);
  CHECK(document["launches"][0]["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 256);
  CHECK(document["launches"][0]["size"] == "2048");
}

TEST_CASE("a kernel that cannot be profiled says why", "[profile]") {
  CHECK(profile_kernel(twice_lab(), kernel("syntax_error"), {}).profiles.at(0).verdict == verdict_kind::compile_error);
  profile_options o;
  o.timeout_s = 0.1;
  const auto hangs = profile_kernel(twice_lab(), kernel("hangs"), o).profiles.at(0);
  CHECK(word(hangs.verdict) == "timeout");
  CHECK(contains(hangs.message, "within"));
}
