#include "grade/job/grade_one.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "build/kernel_variant.hpp"
#include "grade/job/graded_speed.hpp"
#include "judge/session.hpp"
#include "support/installation.hpp"
#include "support/random_seed.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

judge::check_options options_for(const plan& p, const policy& rules, unsigned slot) {
  judge::check_options o;
  o.backend = p.backend;
  o.timeout_s = rules.case_seconds;
  o.build_timeout_s = rules.build_seconds;
  o.memory_bytes = rules.memory_mib << 20;
  o.confine = confinement_of(p.sandbox, slot);
  o.again = true;
  o.seed = fresh_seed();
  return o;
}

// The path of our copy means nothing to the student, and says where the grader keeps things.
std::string in_the_students_words(std::string text, const job& j) {
  for (const auto& path : {j.source.string(), j.source.parent_path().string() + "/", lab::here().root.string() + "/"}) {
    const auto instead = path == j.source.string() ? j.file : "";  // which may hold the path in turn
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at + instead.size()))
      text.replace(at, path.size(), instead);
  }
  return sanitize::plain(text, 4096);
}

// A message's first line only repeats where; the compiler's first error, or else the next line, says what.
std::string gist_of(const std::string& text) {
  if (const auto error = text.find("error: "); error != std::string::npos)
    return sanitize::line(text.substr(error, text.find('\n', error) - error), 300);
  const auto end = text.find('\n'), next = text.find_first_not_of(" \n", end);
  return sanitize::line(
      next == std::string::npos ? text.substr(0, end) : text.substr(next, text.find('\n', next) - next), 300);
}

// What the tracer found, and how many gates hold, was read from the memory of the student's own process.
bool counts(const judge::case_result& c, const policy& rules) { return rules.gates == gate_use::points || !c.traced(); }

void add_gates(row& r, const judge::check_result& checked) {
  r.gates_total = static_cast<int>(checked.gates.size());
  r.gates_passed = static_cast<int>(std::ranges::count(checked.gates, true, &judge::gate_result::passed));
}

void add_cases(row& r, const judge::check_result& checked, const policy& rules, const job& j) {
  for (const auto& c : checked.cases) {
    auto& to = counts(c, rules) ? r.cases : r.advice;
    const auto name = c.launcher.empty() ? c.name() : c.launcher + " " + c.name();
    to.push_back({name, in_the_students_words(c.message, j), c.verdict});
  }
}

// Hidden cases say how many passed and nothing else: their messages would show sizes and inputs.
void add_hidden(row& r, const judge::check_result& checked) {
  for (const auto& c : checked.cases) {
    ++r.hidden_total;
    if (c.verdict == verdict_kind::pass) ++r.hidden_passed;
    if (c.verdict == verdict_kind::pass || r.verdict != verdict_kind::pass) continue;
    r.verdict = c.verdict;
    r.message = "A hidden case failed. Sizes and values of hidden cases are not shown; try more sizes yourself.";
  }
}

void summarize(row& r) {
  r.verdict = verdict_kind::pass;
  const auto bad = std::ranges::find_if(r.cases, [](const auto& c) { return c.verdict != verdict_kind::pass; });
  if (bad == r.cases.end()) return;
  r.verdict = bad->verdict;
  r.message = bad->name + ": " + gist_of(bad->message);
}

bool finished(verdict_kind v) { return v != verdict_kind::infra_error && v != verdict_kind::skipped; }

void run_hidden(row& r, const entry& lab, const judge::kernel_variant& which, const lab_policy& rule,
                judge::check_options o, const plan& p) {
  if (rule.hidden.empty()) return;
  o.sizes = rule.hidden;
  o.seed = p.hidden_seed;
  o.traced = false;
  add_hidden(r, judge::check(lab, which, o));
}

void run_all(row& r, const plan& p, const policy& rules, const job& j, unsigned slot) {
  const auto& lab = find(j.lab);
  const auto o = options_for(p, rules, slot);
  const judge::kernel_variant which{"file", j.source};
  r.seed = *o.seed;
  const auto checked = judge::check(lab, which, o);
  r.build_seconds = checked.build_seconds;
  add_cases(r, checked, rules, j);
  add_gates(r, checked);
  summarize(r);
  const bool ran = r.verdict != verdict_kind::compile_error && r.verdict != verdict_kind::compile_limit;
  if (ran && finished(r.verdict)) run_hidden(r, lab, which, rules.of(j.lab), o, p);
  if (r.verdict == verdict_kind::pass) add_speed(r, lab, which, {rules.of(j.lab), rules.clock}, o);
}

void add_points(row& r, const policy& rules, const job& j) {
  if (!finished(r.verdict)) return;
  const auto late = lateness_of(rules.late, j.student, j.time);
  r.late_days = late.days;
  r.penalty = late.percent;
  r.points = std::round(points_of(rules, r) * (100 - late.percent)) / 100;
}

}  // namespace

double points_of(const policy& rules, const row& r) {
  const auto& rule = rules.of(r.lab);
  const auto passed = std::ranges::count(r.cases, verdict_kind::pass, &case_row::verdict) + r.hidden_passed;
  const auto total = static_cast<double>(r.cases.size()) + r.hidden_total;
  const double share = total > 0 ? double(passed) / total : 0;
  double points = rule.points * (rule.partial ? share : share == 1 ? 1 : 0);
  if (share < 1) return points;  // neither gates nor speed of a wrong kernel count
  if (rules.gates == gate_use::points)
    points += rule.gate_points * (r.gates_total ? double(r.gates_passed) / r.gates_total : 1);
  for (const auto& s : r.speed) points += s.points;
  return points;
}

row grade_one(const plan& p, const policy& rules, const job& j, unsigned slot) {
  auto r = row_without_run(p, rules, j, verdict_kind::infra_error, "");
  if (!j.trouble.empty()) {
    r.verdict = verdict_kind::collect_error;
    r.message = sanitize::line(j.trouble);
    return r;
  }
  const auto begin = std::chrono::steady_clock::now();
  try {
    run_all(r, p, rules, j, slot);
  } catch (const std::exception& e) {
    r.verdict = verdict_kind::infra_error;
    r.message = sanitize::line(e.what());
  }
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  add_points(r, rules, j);
  return r;
}

}  // namespace lab::grade
