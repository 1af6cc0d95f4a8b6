#include "labs/judged.hpp"

#include "build/availability.hpp"
#include "catch.hpp"
#include "judge/check.hpp"
#include "judge/compare.hpp"
#include "labs/expectation.hpp"
#include "support/installation.hpp"

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

check_result judged(const entry& lab, const kernel_variant& which, backend_kind b,
                    std::optional<std::uint64_t> seed = {}) {
  check_options o;
  o.seed = seed;
  o.backend = b;
  o.timeout_s = 20;
  return check(lab, which, o);
}

case_result first_failure(const check_result& r) {
  for (const auto& c : r.cases)
    if (c.verdict != verdict_kind::pass) return c;
  return {};
}

bool skipped(const check_result& r) {
  if (r.verdict != verdict_kind::skipped) return false;
  WARN(r.lab << " skipped: " << first_failure(r).message);
  return true;
}

// "race 17": of every hazard that is more than a remark, its kind with its line or both its lines.
std::set<std::string> hazard_lines(const check_result& r) {
  std::set<std::string> all;
  for (const auto& h : r.hazards) {
    if (h.severity == "info") continue;
    all.insert(h.kind + " " + std::to_string(h.line));
    if (h.other_line > 0) all.insert(h.kind + " " + std::to_string(h.other_line));
  }
  return all;
}

void require_agreement(const launcher_spec& c, const host_function& program, const arguments& given,
                       const arguments& expected, bool exact) {
  if (!program) return;
  auto all = given;
  allocate_outputs(all);
  const auto before = all;
  program(all);
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (all[p].role == parameter_role::scalar || all[p].role == parameter_role::input) continue;
    const tolerance loose{.absolute = 1e-3, .relative = 1e-3};
    const auto result =
        compare({all[p].type, all[p].bytes, before[p].bytes, expected[p].bytes, {}}, exact ? tolerance{} : loose);
    INFO(c.name << ", output " << c.parameters[p] << ", element " << result.first);
    CHECK(result.wrong == 0);
  }
}

void require_honest_programs(const launcher_spec& c, const problem_size& s, inputs kind) {
  lab::random r{1, kind};
  const auto given = c.make(s, r);
  auto expected = given;
  allocate_outputs(expected);
  c.reference(expected);
  const bool exact = !c.floating || (kind == inputs::lattice && !c.allow.inexact_lattice);
  for (const auto& program : {c.one_thread, c.all_threads, c.fast})
    require_agreement(c, program, given, expected, exact);
}

void require_passing(const entry& lab, const kernel_variant& which) {
  for (const auto b : backends()) {
    const auto r = judged(lab, which, b);
    if (skipped(r)) continue;
    INFO("on " << word(b) << ":\n" << first_failure(r).message);
    CHECK(word(r.verdict) == "pass");
    CHECK(r.cases.size() > 0);
  }
}

}  // namespace

void require_solved(const std::string& name) { require_passing(find(name), solution_of(find(name))); }

void require_solved_by_the_encore(const std::string& name) { require_passing(find(name), encore_of(find(name))); }

void require_unsolved(const std::string& name) {
  const auto& lab = find(name);
  for (const auto b : backends()) {
    const auto r = judged(lab, {"starter", here().root / "solutions" / name / "starter.cu"}, b);
    if (skipped(r)) continue;
    INFO("on " << word(b) << ":\n" << first_failure(r).message);
    CHECK(word(r.verdict) == "wrong_answer");
  }
}

void require_honest_card(const std::string& name) {
  for (const auto& c : find(name).definition.launchers)
    for (const auto& s : c.check_sizes) {
      if (c.refuses && !c.refuses(s).empty()) continue;
      INFO("at " << s.name());
      require_honest_programs(c, s, inputs::lattice);
      if (c.floating) require_honest_programs(c, s, inputs::real);
    }
}

// A verdict holds for any inputs. What the diagnosis makes of floats depends on them, and a suite must not.
constexpr std::uint64_t mutants_seed = 20261121;

void require_caught(const std::string& name, const std::filesystem::path& mutant) {
  const auto& lab = find(name);
  const auto expected = expectation_of(mutant);
  for (const auto b : backends()) {
    const auto r = judged(lab, {"file", mutant}, b, mutants_seed);
    if (skipped(r)) continue;
    if (expected.may_hide(word(b)) && word(r.verdict) == "pass") continue;
    const auto found = first_failure(r);
    INFO("on " << word(b) << ":\n" << found.message);
    CHECK(expected.allows_verdict(word(r.verdict)));
    CHECK(expected.allows_diagnosis(word(found.diagnosis)));
    if (b == backend_kind::sim) CHECK(hazard_lines(r) == marked_hazards(mutant));
  }
}

void grade(const std::string& name) {
  const auto& lab = find(name);
  const auto b = default_backend();
  const auto r = judged(lab, starter_of(lab), b);
  if (skipped(r)) return;
  INFO("on " << word(b) << ":\n" << first_failure(r).message);
  REQUIRE(word(r.verdict) == "pass");
}

}  // namespace lab_test
