#include "judge/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "build/availability.hpp"
#include "build/kernel_build.hpp"
#include "build/kernel_variant.hpp"
#include "judge/case_message.hpp"
#include "judge/session.hpp"
#include "judge/trace_phase.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/random_seed.hpp"

namespace lab::judge {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

// All that check() carries from launcher to launcher.
struct examination {
  const entry& lab;
  const check_options& o;
  std::uint64_t seed;
  session runs;
  std::vector<case_result> cases;

  void announce(const std::string& what) const {
    if (o.progress) o.progress(what);
  }
};

std::vector<inputs> kinds_of(const launcher_spec& c) {
  if (c.floating) return {inputs::lattice, inputs::real};
  return {inputs::lattice};
}

// Every case of a launcher, without running it.
std::vector<judged_case> cases_of(const launcher_spec& c, const std::vector<problem_size>& sizes) {
  std::vector<judged_case> all;
  for (const auto& s : sizes_for(c, sizes, c.check_sizes))
    for (const auto kind : kinds_of(c)) all.push_back({{case_phase::values, c.name, s, kind, c.floating}});
  return all;
}

// A second call costs as much as the first, so only the first failure and the last case, the largest, get one.
call_result run(examination& x, const launcher_spec& c, const judged_case& one, bool twice) {
  x.announce(fmt::format("{} {}", c.name, one.name()));
  const test_case t{c, one.size, x.seed + one.other_inputs, one.kind};
  return twice ? x.runs.call_twice(t) : x.runs.call(t);
}

judged_case run_again(examination& x, const launcher_spec& c, judged_case one) {
  one.other_inputs = true;
  one.found = run(x, c, one, false);
  return one;
}

void examine(examination& x, const launcher_spec& c) {
  auto cases = cases_of(c, x.o.sizes);
  if (cases.empty()) return;
  bool failed = false, over = false;
  for (auto& one : cases) {
    if (over) {
      one.found = {verdict_kind::skipped, "Not run, because an earlier case ended the program.\n", {}, {}};
      continue;
    }
    one.found = run(x, c, one, &one == &cases.back());
    if (one.found.verdict == verdict_kind::wrong_answer && !failed) one.found = run(x, c, one, true);
    failed = failed || one.found.verdict != verdict_kind::pass;
    over = ends_the_launcher(one.found.verdict);
  }
  if (x.o.again && !failed) cases.push_back(run_again(x, c, cases.back()));
  compare_cases(cases);
  if (!cases.empty()) note_limit(c, cases);
  for (const auto& one : cases) x.cases.push_back(as_case(x.lab.name, c, one, x.seed + one.other_inputs));
  x.runs.drop_runner();
}

case_result without_run(case_phase phase, verdict_kind verdict, std::string message) {
  case_result result{{phase}};
  result.verdict = verdict;
  result.message = std::move(message);
  return result;
}

std::string compiler_message(const build_result& b, const kernel_variant& which) {
  if (b.verdict == verdict_kind::infra_error) return b.log;
  return fmt::format("{} does not compile:\n{}\nNext: correct the first error; ./lab explain {}\n",
                     which.source.string(), b.log, word(b.verdict));
}

std::vector<case_result> examine_all(const entry& lab, const check_options& o, std::uint64_t seed,
                                     const build_result& built) {
  examination x{lab, o, seed, session{o, {built.library}}, {}};
  for (const auto& c : lab.definition.launchers) examine(x, c);
  return x.cases;
}

verdict_kind overall(const std::vector<case_result>& cases) {
  const auto bad = [](const case_result& c) { return c.verdict != verdict_kind::pass; };
  const auto first = std::ranges::find_if(cases, bad);
  return first == cases.end() ? verdict_kind::pass : first->verdict;
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

check_result built_and_judged(const entry& lab, const kernel_variant& which, const check_options& o,
                              const examiner& examine) {
  const auto begin = clock::now();
  check_result r{lab.name, which.word, verdict_kind::pass, {}};
  if (const auto objection = objection_to(lab, o)) {
    r.cases.push_back(*objection);
  } else if (const auto built = build_for(lab, which.source, o); built.verdict != verdict_kind::pass) {
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

check_result check(const entry& lab, const kernel_variant& which, const check_options& o) {
  require_fitting(lab, o.sizes);
  const auto begin = clock::now();
  const auto seed = o.seed ? *o.seed : fresh_seed();
  trace_phase traces{lab, which, o};
  auto r = built_and_judged(lab, which, o, [&](const build_result& built) { return examine_all(lab, o, seed, built); });
  if (!traces.wanted(r)) return r;
  if (o.values_known) o.values_known(r);
  traces.complete(r, seed);
  r.verdict = overall(r.cases);
  r.seconds = seconds_since(begin);
  return r;
}

check_result check_given(const entry& lab, const kernel_variant& which, const check_options& o, const given_case& one,
                         arguments& outputs) {
  return built_and_judged(lab, which, o, [&](const build_result& built) {
    const auto seed = o.seed ? *o.seed : fresh_seed();
    session runs{o, {built.library}};
    const test_case t{one.launcher, one.size, seed, one.given, oracle_for(one.launcher, one.size)};
    std::vector<judged_case> cases{
        {{case_phase::values, one.launcher.name, one.size, inputs::real}, runs.call(t, 0, &outputs)}};
    compare_cases(cases);
    return std::vector{as_case(lab.name, one.launcher, cases.front(), seed)};
  });
}

}  // namespace lab::judge
