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

// A run that ended in one of these would only end so again, and later.
bool traceable(verdict_kind verdict) {
  switch (verdict) {
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

std::vector<problem_size> sizes_to_trace(const launcher_spec& launcher, const std::vector<problem_size>& asked) {
  const auto given = sizes_for(launcher, asked, {});
  if (given.empty() && !asked.empty()) return {};
  std::vector<problem_size> all{traced_size(launcher, given)};
  for (const auto& gate : launcher.gates)
    if (std::ranges::find(all, gate.at) == all.end()) all.push_back(gate.at);
  return all;
}

}  // namespace

trace_phase::trace_phase(const entry& lab, const kernel_variant& which, const check_options& options)
    : lab_{lab}, which_{which}, options_{options} {
  const auto& backends = lab.definition.backends;
  const bool can = std::ranges::find(backends, word(backend_kind::sim)) != backends.end();
  if (!options.traced || !can || !probe(backend_kind::sim).usable) return;
  build_ =
      std::async(std::launch::async, [&lab, &which, &options] { return build_traced(lab, which.source, options); });
}

// The largest failed case that takes no time: some mistakes, a missing barrier above all, do not show in the smallest.
// Where an access went astray in some, the largest of those.
trace_phase::target trace_phase::telling_failure(const lab_definition& definition, const check_result& result) {
  for (const auto& launcher : definition.launchers) {
    std::vector<problem_size> failed, astray;
    for (const auto& one : result.cases)
      if (one.launcher == launcher.name && traceable(one.verdict))
        (one.verdict == verdict_kind::wrong_answer ? failed : astray).push_back(one.size);
    if (!astray.empty() || !failed.empty()) return {&launcher, traced_size(launcher, astray.empty() ? failed : astray)};
  }
  return {};
}

bool trace_phase::wanted(const check_result& result) const {
  return build_.valid() && (result.verdict == verdict_kind::pass || telling_failure(lab_.definition, result).launcher);
}

std::vector<trace_phase::target> trace_phase::targets_for(const check_result& result) const {
  if (result.verdict != verdict_kind::pass) return {telling_failure(lab_.definition, result)};
  std::vector<target> all;
  for (const auto& launcher : lab_.definition.launchers)
    for (const auto& size : sizes_to_trace(launcher, options_.sizes))
      if (!refused(launcher, size)) all.push_back({&launcher, size});  // to refuse by a failing launch is legal
  return all;
}

void trace_phase::complete(check_result& result, std::uint64_t seed) {
  if (!wanted(result)) return;
  const auto begin = std::chrono::steady_clock::now();
  if (options_.progress) options_.progress("tracing");
  const auto built = build_.get();
  for (const auto& at : targets_for(result)) run(result, at, seed, built);
  result.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void trace_phase::run(check_result& result, const target& at, std::uint64_t seed, const build_result& built) const {
  if (built.verdict != verdict_kind::pass) return fail_untraceable(result, at, built.verdict, built.log);
  const auto traced = [&](unsigned schedule) {
    return trace(*at.launcher, at.size, seed, built.library, slower * options_.timeout_s, options_.confine, schedule);
  };
  auto call = traced(0);
  for (unsigned schedule = 1; schedule < options_.schedules; ++schedule)
    add_schedule(call, traced(schedule), *at.launcher, schedule);
  result.traced.push_back(at.size);
  const auto before = result.cases.size();
  add_hazards(result, at, call.report);
  if (result.verdict == verdict_kind::pass && call.reported) add_gates(result, at, call.report);
  if (result.cases.size() > before) return;
  if (call.verdict != verdict_kind::pass) return fail_untraceable(result, at, call.verdict, call.detail);
  if (!call.reported) fail_untraceable(result, at, verdict_kind::protocol_violation, "the traced run left no report");
}

void trace_phase::add_hazards(check_result& result, const target& at, const trace_report& report) const {
  const bool right = result.verdict == verdict_kind::pass;
  for (const auto& hazard : report.hazards) {
    if (std::ranges::any_of(result.hazards, [&](const auto& known) { return same_place(known, hazard); })) continue;
    result.hazards.push_back(hazard);
    if (right && hazard.error())
      result.cases.push_back(failed_case(case_phase::trace, at, verdict_of(hazard), diagnosis_of(hazard),
                                         describe(hazard, which_.source)));
  }
}

void trace_phase::add_gates(check_result& result, const target& at, const trace_report& report) const {
  for (const auto& gate : at.launcher->gates) {
    if (gate.at != at.size) continue;
    auto held = measure(gate, report, which_.source);
    held.launcher = at.launcher->name;
    if (!held.passed)
      result.cases.push_back(failed_case(case_phase::gate, at, verdict_kind::gate, diagnosis_of(held), held.message));
    result.gates.push_back(std::move(held));
  }
}

// What cannot be traced cannot pass the gates. But a GPU runs what the simulator does not know.
void trace_phase::fail_untraceable(check_result& result, const target& at, verdict_kind verdict,
                                   const std::string& why) const {
  const bool said = !result.cases.empty() && result.cases.back().traced();
  if (result.verdict == verdict_kind::pass && options_.backend == backend_kind::sim && !said)
    result.cases.push_back(failed_case(case_phase::trace, at, verdict, diagnosis_kind::none, why + "\n"));
}

case_result trace_phase::failed_case(case_phase phase, const target& at, verdict_kind verdict, diagnosis_kind diagnosis,
                                     const std::string& what) const {
  case_result failed{{phase, at.launcher->name, at.size}};
  failed.verdict = verdict;
  failed.diagnosis = diagnosis;
  failed.hint = hint_for(lab_.name, diagnosis);
  failed.message = fmt::format("{} at {}: the values are right, but:\n{}", at.launcher->name, at.size.name(), what);
  failed.message += next_step(lab_.name, failed.hint, diagnosis, verdict);
  return failed;
}

}  // namespace lab::judge
