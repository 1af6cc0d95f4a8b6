#include "judge/tracing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "judge/field.hpp"
#include "judge/gates.hpp"
#include "judge/hazard_text.hpp"
#include "judge/hints.hpp"
#include "judge/trace.hpp"

namespace lab::judge {

namespace {

constexpr double most_bytes = 256 << 10, most_operations = 1 << 20;  // a tenth of a second or two
constexpr double slower = 3;                                         // a traced run takes longer, but its size is small

bool refused(const contract& c, const size& s) { return c.refuses && !c.refuses(s).empty(); }

std::pair<double, double> work_at(const contract& c, const size& s) {
  const auto cost = c.cost ? c.cost(s) : lab::cost{};
  return {cost.bytes, cost.operations};
}

// A run that ended in one of these would only end so again, and later.
bool traceable(verdict v) {
  switch (v) {
    case verdict::pass:
    case verdict::skipped:
    case verdict::timeout:
    case verdict::memory_limit:
    case verdict::output_limit:
    case verdict::exited_early:
    case verdict::compile_error:
    case verdict::compile_limit:
    case verdict::protocol_violation:
    case verdict::infra_error:
      return false;
    default:
      return true;
  }
}

struct failure {
  const contract* launcher = nullptr;
  lab::size size;
};

// The largest failed case that takes no time: some mistakes, a missing barrier above all, do not show in the smallest.
// Where an access went astray in some, the largest of those.
failure telling_failure(const card& card, const check_result& r) {
  for (const auto& c : card.contracts) {
    std::vector<size> failed, astray;
    for (const auto& one : r.cases) {
      if (one.launcher != c.name || !traceable(one.verdict)) continue;
      const auto s = size::parse(one.name.substr(0, one.name.find(' ')));
      if (s) (one.verdict == verdict::wrong_answer ? failed : astray).push_back(*s);
    }
    if (!astray.empty() || !failed.empty()) return {&c, traced_size(c, astray.empty() ? failed : astray)};
  }
  return {};
}

std::vector<size> sizes_to_trace(const contract& c, const std::vector<size>& asked) {
  const auto given = sizes_for(c, asked, {});
  if (given.empty() && !asked.empty()) return {};
  std::vector<size> all{traced_size(c, given)};
  for (const auto& g : c.gates)
    if (std::ranges::find(all, g.at) == all.end()) all.push_back(g.at);
  return all;
}

void add_case(check_result& r, const entry& lab, const contract& c, const size& s, verdict v, const std::string& what,
              const std::string& diagnosis) {
  case_result one{c.name, s.name() + " traced", 0, v, {}, diagnosis, hint_for(lab.name, diagnosis)};
  one.message = fmt::format("{} at {}, values right, but:\n{}", c.name, s.name(), what);
  one.message += next_step(lab.name, one.hint, diagnosis, v);
  r.cases.push_back(std::move(one));
}

}  // namespace

size traced_size(const contract& c, const std::vector<size>& sizes) {
  const size* best = nullptr;
  const auto& all = sizes.empty() ? c.check_sizes : sizes;
  const auto small = [&](const size& s) {
    const auto cost = c.cost ? c.cost(s) : lab::cost{};
    return cost.bytes <= most_bytes && cost.operations <= most_operations;
  };
  for (const auto& s : all)
    if (!refused(c, s) && small(s) && (!best || work_at(c, s) > work_at(c, *best))) best = &s;
  return best ? *best : *std::ranges::min_element(all, {}, [&](const size& s) { return work_at(c, s); });
}

tracing::tracing(const entry& lab, const variant& which, const options& o) : lab_{lab}, which_{which}, options_{o} {
  const bool can = std::ranges::find(lab.card.backends, word(backend::sim)) != lab.card.backends.end();
  if (!o.traced || !can || !probe(backend::sim).usable) return;
  build_ = std::async(std::launch::async, [&lab, &which, &o] { return build_traced(lab, which.source, o); });
}

bool tracing::wanted(const check_result& r) const {
  return build_.valid() && (r.verdict == verdict::pass || telling_failure(lab_.card, r).launcher);
}

void tracing::complete(check_result& r, std::uint64_t seed) {
  if (!wanted(r)) return;
  const auto begin = std::chrono::steady_clock::now();
  if (options_.progress) options_.progress("tracing");
  const auto built = build_.get();
  if (r.verdict != verdict::pass) {
    const auto failed = telling_failure(lab_.card, r);
    run(r, *failed.launcher, failed.size, seed, built);
  } else {
    for (const auto& c : lab_.card.contracts)
      for (const auto& s : sizes_to_trace(c, options_.sizes)) run(r, c, s, seed, built);
  }
  r.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void tracing::run(check_result& r, const contract& c, const size& s, std::uint64_t seed,
                  const build_result& built) const {
  const bool right = r.verdict == verdict::pass;
  if (right && refused(c, s)) return;  // to refuse by a failing launch is legal
  if (built.verdict != verdict::pass) return blame(r, c, s, built.verdict, built.log);
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
  if (t.verdict != verdict::pass) return blame(r, c, s, t.verdict, t.detail);
  if (!t.reported) blame(r, c, s, verdict::protocol_violation, "traced, it left no report");
}

// What cannot be traced cannot pass the gates. But a GPU runs what the simulator does not know.
void tracing::blame(check_result& r, const contract& c, const size& s, verdict v, const std::string& why) const {
  const bool said = !r.cases.empty() && r.cases.back().name.ends_with(" traced");
  if (r.verdict == verdict::pass && options_.backend == backend::sim && !said)
    add_case(r, lab_, c, s, v, why + "\n", "");
}

void tracing::weigh(check_result& r, const contract& c, const size& s, const trace_report& report) const {
  for (const auto& g : c.gates) {
    if (g.at != s) continue;
    auto result = measure(g, report, which_.source);
    result.launcher = c.name;
    if (!result.passed) add_case(r, lab_, c, s, verdict::gate, result.message, diagnosis_of(result));
    r.gates.push_back(std::move(result));
  }
}

}  // namespace lab::judge
