#include "judge/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "build/availability.hpp"
#include "build/kernel_variant.hpp"
#include "build/lab_builds.hpp"
#include "judge/case_message.hpp"
#include "judge/compiler_warnings.hpp"
#include "judge/failing_sizes.hpp"
#include "judge/session.hpp"
#include "judge/trace_phase.hpp"
#include "lab/fitting_sizes.hpp"
#include "sim/simulated_gpus.hpp"
#include "support/random_seed.hpp"
#include "support/time_budget.hpp"

namespace lab::judge {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

// All that check() carries from launcher to launcher.
struct examination {
  const entry& lab;
  const std::filesystem::path& source;
  const check_options& o;
  std::uint64_t seed;
  const time_budget& budget;
  session runs;
  std::vector<compiler_warning> warnings;
  std::vector<case_result> cases{};
  bool timed_out = false;  // in an earlier launcher

  void announce(const std::string& what) const {
    if (o.progress) o.progress(what);
  }
};

// Every case of a launcher, without running it.
std::vector<judged_case> cases_of(const launcher_spec& launcher, const std::vector<problem_size>& sizes) {
  std::vector<judged_case> all;
  for (const auto& s : sizes_for(launcher, sizes, launcher.check_sizes))
    for (const auto kind : kinds_of(launcher))
      all.push_back({{case_phase::values, launcher.name, s, kind, launcher.floating}});
  return all;
}

constexpr double after_a_timeout_s = 3;  // the same mistake is likely to be in the next launcher

call_result not_run(const time_budget& budget) {
  return {verdict_kind::timeout, over_budget("Not run", budget) + "\n", {}, {}};
}

// A second call costs as much as the first, so only the first failure and the last case, the largest, get one.
call_result run(examination& all, const launcher_spec& launcher, const judged_case& one, bool twice) {
  if (all.budget.over()) return not_run(all.budget);
  all.announce(fmt::format("{} {}", launcher.name, one.name()));
  const test_case t{launcher, one.size, all.seed + one.other_inputs, one.kind};
  all.runs.limit(std::min(all.timed_out ? after_a_timeout_s : all.o.timeout_s, all.budget.left()));
  return twice ? all.runs.call_twice(t) : all.runs.call(t);
}

judged_case run_again(examination& all, const launcher_spec& launcher, judged_case one) {
  one.other_inputs = true;
  one.found = run(all, launcher, one, false);
  return one;
}

void explain_by_warnings(call_result& found, const std::vector<compiler_warning>& warnings,
                         const std::filesystem::path& source) {
  if (found.verdict != verdict_kind::wrong_answer && found.verdict != verdict_kind::nondeterministic) return;
  found.why = {cause_by_warning(warnings, source, found.why.empty() ? diagnosis{} : found.why.front())};
}

void examine(examination& all, const launcher_spec& launcher) {
  auto cases = cases_of(launcher, all.o.sizes);
  if (cases.empty()) return;
  bool failed = false, over = false;
  for (auto& one : cases) {
    if (over) {
      one.found = {verdict_kind::skipped, "Not run, because an earlier case ended the program.\n", {}, {}};
      continue;
    }
    one.found = run(all, launcher, one, &one == &cases.back());
    const bool explained = one.found.verdict == verdict_kind::wrong_answer && !failed && !all.o.verdict_only;
    if (explained) one.found = run(all, launcher, one, true);
    failed = failed || one.found.verdict != verdict_kind::pass;
    over = ends_the_launcher(one.found.verdict) || (failed && all.o.verdict_only);
    all.timed_out = all.timed_out || one.found.verdict == verdict_kind::timeout;
  }
  if (all.o.again && !failed) cases.push_back(run_again(all, launcher, cases.back()));
  compare_cases(cases);
  note_partial_tile(launcher, cases);
  note_limit(launcher, cases);
  const auto warnings = warnings_for(launcher.name, all.warnings, all.source);
  const auto warned = describe(warnings, all.source);
  for (auto& one : cases) {
    explain_by_warnings(one.found, warnings, all.source);
    all.cases.push_back(as_case(all.lab.name, launcher, one, all.seed + one.other_inputs, warned));
  }
  all.runs.drop_runner();
}

case_result without_run(case_phase phase, verdict_kind verdict, std::string message) {
  case_result result{{phase}};
  result.verdict = verdict;
  result.message = std::move(message);
  return result;
}

std::string compiler_message(const build_result& built, const kernel_variant& which) {
  if (built.verdict == verdict_kind::infra_error) return built.log;
  return fmt::format("{} does not compile:\n{}\nNext: correct the first error; ./lab explain {}\n", place_of(which),
                     built.log, word(built.verdict));
}

verdict_kind overall(const std::vector<case_result>& cases) {
  const auto bad = [](const case_result& c) { return c.verdict != verdict_kind::pass; };
  const auto first = std::ranges::find_if(cases, bad);
  return first == cases.end() ? verdict_kind::pass : first->verdict;
}

std::vector<case_result> examine_all(const entry& lab, const std::filesystem::path& source,
                                     const check_options& options, std::uint64_t seed, const time_budget& budget,
                                     const build_result& built) {
  examination x{lab, source, options, seed, budget, session{options, {built.library}}, warnings_in(built.log, source)};
  for (const auto& c : lab.definition.launchers) {
    examine(x, c);
    if (options.verdict_only && overall(x.cases) != verdict_kind::pass) break;
  }
  return x.cases;
}

// That the lab cannot run here, or that this cannot be found out.
std::optional<case_result> objection_to(const entry& lab, const check_options& o) try {
  const auto why_not = why_not_here(lab, o);
  return why_not.empty() ? std::nullopt
                         : std::optional{without_run(case_phase::backend, verdict_kind::skipped, why_not)};
} catch (const runner_failure& e) {
  return without_run(case_phase::backend, verdict_kind::infra_error, e.what());
}

using examiner = std::function<std::vector<case_result>(const build_result&)>;
using compilation = std::function<build_result()>;

check_result built_and_judged(const entry& lab, const kernel_variant& which, const check_options& options,
                              const compilation& compile, const examiner& examine) {
  const auto begin = clock::now();
  check_result r{lab.name, which.word, verdict_kind::pass, {}};
  r.stage = lab.stage;
  if (const auto objection = objection_to(lab, options)) {
    r.cases.push_back(*objection);
  } else if (const auto built = compile(); built.verdict != verdict_kind::pass) {
    r.cases.push_back(without_run(case_phase::build, built.verdict, compiler_message(built, which)));
    r.build_seconds = seconds_since(begin);
  } else {
    r.build_seconds = seconds_since(begin);
    r.cases = examine(built);
  }
  r.verdict = overall(r.cases);
  r.seconds = seconds_since(begin);
  return r;
}

}  // namespace

check_result check(const entry& lab, const kernel_variant& which, const check_options& options) {
  require_fitting(lab, options.sizes);
  time_budget budget{options.budget_s};
  const auto seed = options.seed ? *options.seed : fresh_seed();
  trace_phase traces{lab, which, options, budget, seed};
  const auto compile = [&] { return budget.excuse([&] { return build_for(lab, which.source, options); }); };
  auto r = built_and_judged(lab, which, options, compile, [&](const build_result& built) {
    traces.begin();
    return examine_all(lab, which.source, options, seed, budget, built);
  });
  if (traces.wanted(r)) {
    if (options.values_known) options.values_known(r);
    traces.complete(r);
    r.verdict = overall(r.cases);
    r.seconds = budget.passed();
  }
  r.spent_seconds = budget.spent();
  r.stages = stage_results(lab, r.cases);
  return r;
}

check_result check_given(const entry& lab, const kernel_variant& which, const check_options& options,
                         const given_case& one, arguments& outputs) {
  const auto compile = [&] { return build_for(lab, which.source, options); };
  return built_and_judged(lab, which, options, compile, [&](const build_result& built) {
    const auto seed = options.seed ? *options.seed : fresh_seed();
    session runs{options, {built.library}};
    const test_case t{one.launcher, one.size, seed, one.given, oracle_for(one.launcher, one.size)};
    std::vector<judged_case> cases{
        {{case_phase::values, one.launcher.name, one.size, inputs::real}, runs.call(t, 0, &outputs)}};
    compare_cases(cases);
    return std::vector{as_case(lab.name, one.launcher, cases.front(), seed)};
  });
}

std::vector<std::string> simulated_gpus() {
  std::vector<std::string> names;
  for (const auto& gpu : sim::simulated_gpus) names.emplace_back(gpu.name);
  return names;
}

}  // namespace lab::judge
