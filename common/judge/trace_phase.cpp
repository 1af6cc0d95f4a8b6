#include "judge/trace_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "build/availability.hpp"
#include "build/kernel_build.hpp"
#include "diagnosis/hints.hpp"
#include "lab/fitting_sizes.hpp"
#include "trace/gates.hpp"
#include "trace/hazard_message.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double slower = 3;  // a traced run takes longer, but its size is small

bool refused(const launcher_spec& c, const problem_size& s) { return c.refuses && !c.refuses(s).empty(); }

// A run that ended in one of these would only end so again, and later.
bool traceable(verdict_kind v) {
  switch (v) {
    case verdict_kind::pass:
    case verdict_kind::skipped:
    case verdict_kind::timeout:
    case verdict_kind::memory_limit:
    case verdict_kind::output_limit:
    case verdict_kind::exited_early:
    case verdict_kind::compile_error:
    case verdict_kind::compile_limit:
    case verdict_kind::protocol_violation:
    case verdict_kind::infra_error:
      return false;
    default:
      return true;
  }
}

struct failure {
  const launcher_spec* launcher = nullptr;
  problem_size size;
};

// The largest failed case that takes no time: some mistakes, a missing barrier above all, do not show in the smallest.
// Where an access went astray in some, the largest of those.
failure telling_failure(const lab_definition& definition, const check_result& r) {
  for (const auto& c : definition.launchers) {
    std::vector<problem_size> failed, astray;
    for (const auto& one : r.cases) {
      if (one.launcher != c.name || !traceable(one.verdict)) continue;
      const auto s = problem_size::parse(one.name.substr(0, one.name.find(' ')));
      if (s) (one.verdict == verdict_kind::wrong_answer ? failed : astray).push_back(*s);
    }
    if (!astray.empty() || !failed.empty()) return {&c, traced_size(c, astray.empty() ? failed : astray)};
  }
  return {};
}

std::vector<problem_size> sizes_to_trace(const launcher_spec& c, const std::vector<problem_size>& asked) {
  const auto given = sizes_for(c, asked, {});
  if (given.empty() && !asked.empty()) return {};
  std::vector<problem_size> all{traced_size(c, given)};
  for (const auto& g : c.gates)
    if (std::ranges::find(all, g.at) == all.end()) all.push_back(g.at);
  return all;
}

void add_case(check_result& r, const entry& lab, const launcher_spec& c, const problem_size& s, verdict_kind v,
              const std::string& what, const std::string& diagnosis) {
  case_result one{c.name, s.name() + " traced", 0, v, {}, diagnosis, hint_for(lab.name, diagnosis)};
  one.message = fmt::format("{} at {}, values right, but:\n{}", c.name, s.name(), what);
  one.message += next_step(lab.name, one.hint, diagnosis, v);
  r.cases.push_back(std::move(one));
}

}  // namespace

tracing::tracing(const entry& lab, const kernel_variant& which, const check_options& o)
    : lab_{lab}, which_{which}, options_{o} {
  const bool can = std::ranges::find(lab.definition.backends, word(backend_kind::sim)) != lab.definition.backends.end();
  if (!o.traced || !can || !probe(backend_kind::sim).usable) return;
  build_ = std::async(std::launch::async, [&lab, &which, &o] { return build_traced(lab, which.source, o); });
}

bool tracing::wanted(const check_result& r) const {
  return build_.valid() && (r.verdict == verdict_kind::pass || telling_failure(lab_.definition, r).launcher);
}

void tracing::complete(check_result& r, std::uint64_t seed) {
  if (!wanted(r)) return;
  const auto begin = std::chrono::steady_clock::now();
  if (options_.progress) options_.progress("tracing");
  const auto built = build_.get();
  if (r.verdict != verdict_kind::pass) {
    const auto failed = telling_failure(lab_.definition, r);
    run(r, *failed.launcher, failed.size, seed, built);
  } else {
    for (const auto& c : lab_.definition.launchers)
      for (const auto& s : sizes_to_trace(c, options_.sizes)) run(r, c, s, seed, built);
  }
  r.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void tracing::run(check_result& r, const launcher_spec& c, const problem_size& s, std::uint64_t seed,
                  const build_result& built) const {
  const bool right = r.verdict == verdict_kind::pass;
  if (right && refused(c, s)) return;  // to refuse by a failing launch is legal
  if (built.verdict != verdict_kind::pass) return blame(r, c, s, built.verdict, built.log);
  auto t = trace(c, s, seed, built.library, slower * options_.timeout_s, options_.confine);
  for (unsigned i = 1; i < options_.schedules; ++i)
    add_schedule(t, trace(c, s, seed, built.library, slower * options_.timeout_s, options_.confine, i), c, i);
  r.traced.push_back(s.name());
  const auto before = r.cases.size();
  for (const auto& h : t.report.hazards) {
    if (std::ranges::any_of(r.hazards, [&](const hazard& known) { return same_place(known, h); })) continue;
    r.hazards.push_back(h);
    if (right && h.error()) add_case(r, lab_, c, s, verdict_of(h), describe(h, which_.source), diagnosis_of(h));
  }
  if (right && t.reported) weigh(r, c, s, t.report);
  if (r.cases.size() > before) return;
  if (t.verdict != verdict_kind::pass) return blame(r, c, s, t.verdict, t.detail);
  if (!t.reported) blame(r, c, s, verdict_kind::protocol_violation, "traced, it left no report");
}

// What cannot be traced cannot pass the gates. But a GPU runs what the simulator does not know.
void tracing::blame(check_result& r, const launcher_spec& c, const problem_size& s, verdict_kind v,
                    const std::string& why) const {
  const bool said = !r.cases.empty() && r.cases.back().name.ends_with(" traced");
  if (r.verdict == verdict_kind::pass && options_.backend == backend_kind::sim && !said)
    add_case(r, lab_, c, s, v, why + "\n", "");
}

void tracing::weigh(check_result& r, const launcher_spec& c, const problem_size& s, const trace_report& report) const {
  for (const auto& g : c.gates) {
    if (g.at != s) continue;
    auto result = measure(g, report, which_.source);
    result.launcher = c.name;
    if (!result.passed) add_case(r, lab_, c, s, verdict_kind::gate, result.message, diagnosis_of(result));
    r.gates.push_back(std::move(result));
  }
}

}  // namespace lab::judge
