#include "judge/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "judge/case_message.hpp"
#include "judge/field.hpp"
#include "judge/session.hpp"
#include "judge/tracing.hpp"

namespace lab::judge {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

// All that check() carries from launcher to launcher.
struct examination {
  const entry& lab;
  const options& o;
  std::uint64_t seed;
  session runs;
  std::vector<case_result> cases;

  void announce(const std::string& what) const {
    if (o.progress) o.progress(what);
  }
};

std::vector<inputs> kinds_of(const contract& c) {
  if (c.floating) return {inputs::lattice, inputs::real};
  return {inputs::lattice};
}

// Every case of a launcher, without running it.
std::vector<judged_case> cases_of(const contract& c, const std::vector<size>& sizes) {
  std::vector<judged_case> all;
  for (const auto& s : sizes_for(c, sizes, c.check_sizes))
    for (const auto kind : kinds_of(c)) all.push_back({s, kind, trial_name(c, s, kind), {}});
  return all;
}

// A second call costs as much as the first, so only the first failure and the last case, the largest, get one.
finding run(examination& x, const contract& c, const judged_case& one, bool twice) {
  x.announce(fmt::format("{} {}", c.name, one.name));
  const trial t{c, one.size, x.seed + one.other_inputs, one.kind};
  return twice ? x.runs.call_twice(t) : x.runs.call(t);
}

judged_case run_again(examination& x, const contract& c, judged_case one) {
  one.other_inputs = true;
  one.name += " again";
  one.found = run(x, c, one, false);
  return one;
}

void examine(examination& x, const contract& c) {
  auto cases = cases_of(c, x.o.sizes);
  if (cases.empty()) return;
  bool failed = false, over = false;
  for (auto& one : cases) {
    if (over) {
      one.found = {verdict::skipped, "Not run, because of what the case before did.\n", {}, {}};
      continue;
    }
    one.found = run(x, c, one, &one == &cases.back());
    if (one.found.verdict == verdict::wrong_answer && !failed) one.found = run(x, c, one, true);
    failed = failed || one.found.verdict != verdict::pass;
    over = ends_the_launcher(one.found.verdict);
  }
  if (x.o.again && !failed) cases.push_back(run_again(x, c, cases.back()));
  compare_cases(cases);
  if (!cases.empty()) note_limit(c, cases);
  for (const auto& one : cases) x.cases.push_back(as_case(x.lab.name, c, one, x.seed + one.other_inputs));
  x.runs.drop_runner();
}

case_result note(std::string name, verdict v, std::string message) {
  case_result r;
  r.name = std::move(name);
  r.verdict = v;
  r.message = std::move(message);
  return r;
}

std::string compiler_message(const build_result& b, const variant& which) {
  if (b.verdict == verdict::infra_error) return b.log;
  return fmt::format("{} does not compile:\n{}\nNext: mend the first error; ./lab explain {}\n", which.source.string(),
                     b.log, word(b.verdict));
}

std::vector<case_result> examine_all(const entry& lab, const options& o, std::uint64_t seed,
                                     const build_result& built) {
  examination x{lab, o, seed, session{o, {built.library}}, {}};
  for (const auto& c : lab.card.contracts) examine(x, c);
  return x.cases;
}

verdict overall(const std::vector<case_result>& cases) {
  const auto bad = [](const case_result& c) { return c.verdict != verdict::pass; };
  const auto first = std::ranges::find_if(cases, bad);
  return first == cases.end() ? verdict::pass : first->verdict;
}

// That the lab cannot run here, or that this cannot be found out.
std::optional<case_result> objection_to(const entry& lab, const options& o) try {
  const auto why_not = why_not_here(lab, o);
  return why_not.empty() ? std::nullopt : std::optional{note("backend", verdict::skipped, why_not)};
} catch (const runner_failure& e) {
  return note("backend", verdict::infra_error, e.what());
}

using examiner = std::function<std::vector<case_result>(const build_result&)>;

check_result built_and_judged(const entry& lab, const variant& which, const options& o, const examiner& examine) {
  const auto begin = clock::now();
  check_result r{lab.name, which.word, verdict::pass, {}};
  if (const auto objection = objection_to(lab, o)) {
    r.cases.push_back(*objection);
  } else if (const auto built = build_for(lab, which.source, o); built.verdict != verdict::pass) {
    r.cases.push_back(note("build", built.verdict, compiler_message(built, which)));
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

std::vector<size> sizes_for(const contract& c, const std::vector<size>& asked, const std::vector<size>& own) {
  if (asked.empty()) return own;
  std::vector<size> fitting;
  std::ranges::copy_if(asked, std::back_inserter(fitting), [&](const size& s) { return s.axes() == c.axes.size(); });
  return fitting;
}

void require_fitting(const entry& lab, const std::vector<size>& asked) {
  for (const auto& s : asked) {
    const auto fits = [&](const contract& c) { return s.axes() == c.axes.size(); };
    if (std::ranges::any_of(lab.card.contracts, fits)) continue;
    std::string known;
    for (const auto& c : lab.card.contracts)
      known += fmt::format("{}{} takes {}", known.empty() ? "" : ", ", c.name, fmt::join(c.axes, " x "));
    throw usage_error(fmt::format("--size {} fits no launcher of {}: {}", s.name(), lab.name, known));
  }
}

variant starter_of(const entry& lab) { return {"starter", here().root / "labs" / lab.name / "kernel.cu"}; }
variant solution_of(const entry& lab) { return {"solution", here().root / "solutions" / lab.name / "kernel.cu"}; }
variant encore_of(const entry& lab) { return {"encore", here().root / "solutions" / lab.name / "encore.cu"}; }

check_result check(const entry& lab, const variant& which, const options& o) {
  require_fitting(lab, o.sizes);
  const auto begin = clock::now();
  const auto seed = o.seed ? *o.seed : fresh_seed();
  tracing traces{lab, which, o};
  auto r = built_and_judged(lab, which, o, [&](const build_result& built) { return examine_all(lab, o, seed, built); });
  if (!traces.wanted(r)) return r;
  if (o.values_known) o.values_known(r);
  traces.complete(r, seed);
  r.verdict = overall(r.cases);
  r.seconds = seconds_since(begin);
  return r;
}

check_result check_given(const entry& lab, const variant& which, const options& o, const given_case& one,
                         arguments& outputs) {
  return built_and_judged(lab, which, o, [&](const build_result& built) {
    const auto seed = o.seed ? *o.seed : fresh_seed();
    session runs{o, {built.library}};
    const trial t{one.contract, one.size, seed, one.given, oracle_for(one.contract, one.size)};
    std::vector<judged_case> cases{{one.size, inputs::real, one.size.name(), runs.call(t, 0, &outputs)}};
    compare_cases(cases);
    return std::vector{as_case(lab.name, one.contract, cases.front(), seed)};
  });
}

}  // namespace lab::judge
