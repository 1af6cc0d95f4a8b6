#include "labs/judged.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/availability.hpp"
#include "build/patched_kernel.hpp"
#include "catch.hpp"
#include "judge/check.hpp"
#include "labs/agreement.hpp"
#include "labs/expectation.hpp"
#include "skip.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"
#include "trace/traced_call.hpp"

using namespace lab;
using namespace lab::judge;

namespace lab_test {

namespace {

std::vector<backend_kind> backends() {
  std::vector<backend_kind> all{backend_kind::sim};
  if (const auto gpu = probe(backend_kind::cuda); gpu.usable)
    all.push_back(backend_kind::cuda);
  else
    WARN("not run on a GPU: " << gpu.reason);
  return all;
}

// A busy machine may take long. Its cores have other tests to run.
check_options patient() {
  check_options options;
  options.timeout_s = 20;
  options.trace_early = false;
  return options;
}

case_result first_failure(const check_result& r) {
  for (const auto& c : r.cases)
    if (c.verdict != verdict_kind::pass) return c;
  return {};
}

using examiner = std::function<void(backend_kind, const check_result&)>;

// Has every one of these back ends judge the kernel. Where none of them can run the lab, the test is skipped.
void judge_on(const std::vector<backend_kind>& all, const entry& lab, const kernel_variant& which, const examiner& look,
              check_options options = patient()) {
  std::string why;
  bool ran = false;
  for (const auto b : all) {
    options.backend = b;
    const auto r = check(lab, which, options);
    const auto found = first_failure(r);
    if (r.verdict == verdict_kind::skipped) {
      why += fmt::format("{} on {}: {}", why.empty() ? "" : "; ", word(b), found.message);
      continue;
    }
    ran = true;
    INFO("on " << word(b) << ": " << word(r.verdict) << ", diagnosis \"" << word(found.diagnosis) << "\"\n"
               << found.message);
    look(b, r);
  }
  if (!ran) skip(lab.name + why);
}

// "race 17": of every hazard that is more than a remark, its kind with its line or both its lines. Hazards in a shared
// header have no mark.
std::set<std::string> hazard_lines(const check_result& r) {
  std::set<std::string> all;
  for (const auto& h : r.hazards) {
    if (h.severity == "info" || std::filesystem::path{h.file}.extension() == ".hpp") continue;
    all.insert(h.kind + " " + std::to_string(h.line));
    if (h.other_line > 0) all.insert(h.kind + " " + std::to_string(h.other_line));
  }
  return all;
}

void require_passing(const entry& lab, const kernel_variant& which) {
  judge_on(backends(), lab, which, [](backend_kind, const check_result& r) {
    CHECK(word(r.verdict) == "pass");
    CHECK(r.cases.size() > 0);
  });
}

// A verdict holds for any inputs. What the diagnosis makes of floats depends on them, and a suite must not.
constexpr std::uint64_t mutants_seed = 20261121;

check_options options_for(const expectation& expected) {
  auto options = patient();
  options.seed = mutants_seed;
  if (expected.sim.verdicts == words{"timeout"}) options.timeout_s = 2;  // it keeps a core busy until then
  return options;
}

void require_outcome(const outcome& allowed, const check_result& r) {
  CHECK(allowed.allows_verdict(word(r.verdict)));
  if (r.verdict != verdict_kind::pass) CHECK(allowed.allows_diagnosis(word(first_failure(r).diagnosis)));
}

bool ragged(const trace_target& at) {
  for (std::size_t axis = 0; axis < at.size.axes(); ++axis)
    if (at.size[axis] % 32 == 0) return false;
  return estimated_accesses(*at.launcher, at.size) > 100;
}

// One mistake, one cause: it comes first, and neither another case nor a hazard beside it names another.
void require_one_cause(const check_result& r, const std::string& words) {
  const auto first = first_failure(r);
  CHECK_THAT(first_lines_of_cause(first.message), ContainsSubstring(words));
  for (const auto& one : r.cases)
    if (one.launcher == first.launcher && one.diagnosis != diagnosis_kind::none && one.verdict != verdict_kind::pass)
      CHECK(word(one.diagnosis) == word(first.diagnosis));
}

// Whatever a solution executes, the simulator has traced, and for each launcher a size at which no tile is full.
void require_full_coverage(const entry& lab, const check_result& r) {
  CHECK(r.coverage.places > 0);
  CHECK(r.coverage.missing.empty());
  for (const auto& launcher : lab.definition.launchers)
    CHECK(std::ranges::any_of(r.coverage.traced, [&](const trace_target& at) {
      return at.launcher->name == launcher.name && (launcher.axes.empty() || ragged(at));
    }));
}

// The other simulated devices have the shared memory of one of these. The default, an H200, has the most.
void require_right_on_devices(const entry& lab, const kernel_variant& which) {
  if (!runs_on(lab, backend_kind::sim)) return skip(lab.name + " needs a GPU");
  for (const char* const device : {"t4", "rtx4090", "a100"}) {
    // A lab for newer devices uses more shared memory than these two have.
    if (lab.definition.least_capability > 0 && std::string_view{device} != "a100") continue;
    if (lab.definition.least_capability > 80) continue;
    setenv("LAB_SIM_DEVICE", device, 1);
    auto values_only = patient();
    values_only.traced = false;
    values_only.backend = backend_kind::sim;
    const auto r = check(lab, which, values_only);
    unsetenv("LAB_SIM_DEVICE");
    INFO(device << ": " << first_failure(r).message);
    CHECK(word(r.verdict) == "pass");
    CHECK(r.cases.size() > 0);
  }
}

}  // namespace

void require_right_on_every_device(const std::string& name) {
  const auto& lab = find(name);
  require_right_on_devices(lab, solution_of(lab));
}

void require_encore_right_on_every_device(const std::string& name) {
  const auto& lab = find(name);
  if (lab.definition.least_capability > 0) return skip(lab.name + ": its encore needs an H200's shared memory");
  require_right_on_devices(lab, encore_of(lab));
}

void require_solved(const std::string& name) {
  const auto& lab = find(name);
  judge_on(backends(), lab, solution_of(lab), [&](backend_kind b, const check_result& r) {
    CHECK(word(r.verdict) == "pass");
    CHECK(r.cases.size() > 0);
    if (b == backend_kind::sim) require_full_coverage(lab, r);
  });
}

void require_solved_by_the_encore(const std::string& name) { require_passing(find(name), encore_of(find(name))); }

void require_unsolved(const std::string& name) {
  const kernel_variant starter{"starter", here().root / "solutions" / name / "starter.cu"};
  const auto heading = std::filesystem::path{TEST_FOLDER} / "starters" / (name + ".txt");
  const bool right_but_slow = std::filesystem::exists(heading);
  const auto expected = right_but_slow ? expectation_of(heading) : expectation{};
  judge_on(backends(), find(name), starter, [&](backend_kind b, const check_result& r) {
    if (right_but_slow)
      require_outcome(expected.on(word(b)), r);
    else
      CHECK(word(r.verdict) == "wrong_answer");
  });
}

void require_honest_programs(const std::string& name) {
  CHECK(disagreements(find(name).definition) == std::vector<std::string>{});
}

void require_caught(const std::string& name, const std::filesystem::path& patch) {
  if (find_program("patch").empty()) return skip("the program patch is not installed");
  const auto& lab = find(name);
  const auto expected = expectation_of(patch);
  const auto kernel = patched_kernel(lab, patch);
  const auto look = [&](backend_kind b, const check_result& r) {
    require_outcome(expected.on(word(b)), r);
    if (b != backend_kind::sim) return;
    CHECK(hazard_lines(r) == marked_hazards(kernel));
    CHECK(first_failure(r).message.find(expected.message) != std::string::npos);
    if (!expected.beginner.empty()) require_one_cause(r, expected.beginner);
  };
  // One worker runs the blocks in order: what threads lose by a race does not depend on the machine's load.
  setenv("LAB_SIM_THREADS", "1", 1);
  judge_on(backends(), lab, {"file", kernel}, look, options_for(expected));
  unsetenv("LAB_SIM_THREADS");
}

void grade(const std::string& name) {
  const auto& lab = find(name);
  judge_on({default_backend()}, lab, starter_of(lab),
           [](backend_kind, const check_result& r) { CHECK(word(r.verdict) == "pass"); });
}

}  // namespace lab_test
