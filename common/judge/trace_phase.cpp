#include "judge/trace_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "build/availability.hpp"
#include "build/lab_builds.hpp"
#include "diagnosis/hints.hpp"
#include "judge/case_message.hpp"
#include "judge/host_code.hpp"
#include "judge/telling_failures.hpp"
#include "judge/traced_cause.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"
#include "trace/compulsory_traffic.hpp"
#include "trace/gates.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

namespace {

constexpr int niceness_of_clang = 5;  // nothing waits for its check until the end

constexpr double slower = 3;  // a traced run takes longer, but its size is small

constexpr double hanging_kernel_s = 2;  // at most, until the trace of a timeout ends the kernel

constexpr double early_kernel_s = 3;  // at most, until a kernel ends that is traced before all values are known

constexpr auto too_large = "this size is too large, except with --trace-all";

// Some hazards are warnings but in the labs that teach to avoid them.
void raise_errors_of(const lab_definition& definition, std::vector<hazard>& hazards) {
  for (auto& h : hazards)
    if (h.severity == "warning" && std::ranges::find(definition.errors, h.kind) != definition.errors.end())
      h.severity = "error";
}

bool has_hazard(const traced_call& call) { return std::ranges::any_of(call.report.hazards, &hazard::error); }

bool has_error(const judged_trace& call) {
  return call.verdict != verdict_kind::pass || call.values.verdict != verdict_kind::pass || has_hazard(call);
}

// The arrays of a traced call have no guard zones, so all others of `test_case` are as the call found them.
call_result judged(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed,
                   const traced_call& call) {
  if (call.verdict != verdict_kind::pass || call.outputs.empty()) return {};
  test_case tested{launcher, size, seed, inputs::lattice, oracle_for(launcher, size)};
  tested.place(zones::bare);
  const auto before = tested.arrays(0);
  return tested.judge(before.view(), tested.answered(before.view(), call.outputs));
}

// The sizes of each launcher in as many groups as there are cores, of about the same work.
std::vector<size_group> shared_by_cores(const std::vector<trace_target>& targets) {
  std::map<std::pair<const launcher_spec*, std::size_t>, std::vector<problem_size>> sizes;
  std::map<const launcher_spec*, std::size_t> dealt;
  for (const auto& [launcher, size] : targets) sizes[{launcher, dealt[launcher]++ % cores()}].push_back(size);
  std::vector<size_group> groups;
  for (auto& [key, some] : sizes) groups.push_back({key.first, std::move(some)});
  return groups;
}

// Whether an early run ended at its own limit, so that it proves nothing.
bool ran_into_limit(const judged_trace& call) {
  return call.verdict == verdict_kind::timeout ||
         std::ranges::find(call.report.hazards, "hang", &hazard::kind) != call.report.hazards.end();
}

bool failed(const check_result& result) {
  return result.verdict != verdict_kind::pass || std::ranges::any_of(result.cases, &case_result::traced);
}

}  // namespace

trace_phase::trace_phase(const entry& lab, const kernel_variant& which, const check_options& options,
                         time_budget& budget, std::uint64_t seed)
    : lab_{lab}, which_{which}, options_{options}, budget_{budget}, seed_{seed} {
  if (!options.traced || !runs_on(lab, backend_kind::sim) || !probe(backend_kind::sim).usable) return;
  possible_ = true;
  plan_ = plan_traces(lab.definition, options.sizes, options.trace_all);
  groups_ = shared_by_cores(plan_.rest);
  if (!options.confine) begin();
}

// Most kernels of a check for the verdict alone fail by their values, and then both builds would be in vain.
void trace_phase::begin() {
  if (!possible_ || build_.valid()) return;
  const auto when = options_.verdict_only ? std::launch::deferred : std::launch::async;
  build_ = std::async(when, [this] { return build_traced(lab_, which_.source, options_); }).share();
  source_check_ = std::async(when, [this, own_thread = when == std::launch::async] {
    if (own_thread) give_way(niceness_of_clang);
    return check_source(lab_, which_.source, options_);
  });
  if (options_.trace_early && !options_.verdict_only && !options_.confine)
    early_ = std::async(when, [this] { return trace_early(); });
}

trace_phase::~trace_phase() { unwanted_ = true; }

// Judging values keeps one core busy. Another one traces meanwhile, as if all values were right.
trace_phase::early_runs trace_phase::trace_early() {
  const auto& built = build_.get();
  if (built.verdict != verdict_kind::pass) return {};
  library_ = built.library;
  early_limits_ = true;
  auto traced = run_each(plan_.traced, {});
  if (std::ranges::any_of(traced, has_error)) return {std::move(traced), {}};
  return {std::move(traced), explore()};
}

// What was traced early and is not in doubt.
trace_phase::early_runs trace_phase::known_early() {
  if (!early_.valid()) return {};
  auto known = early_.get();
  const auto doubtful = std::ranges::find_if(known.traced, ran_into_limit);
  known.traced.erase(doubtful, known.traced.end());
  return known;
}

bool trace_phase::wanted(const check_result& result) const {
  if (!build_.valid() || result.verdict == verdict_kind::pass) return build_.valid();
  return !options_.verdict_only && !telling_failures(lab_.definition, result).empty();
}

void trace_phase::complete(check_result& result) {
  if (!wanted(result)) return;
  const auto begin = std::chrono::steady_clock::now();
  if (options_.progress) options_.progress("tracing");
  unwanted_ = result.verdict != verdict_kind::pass;
  budget_.excuse([this] { build_.wait(); });
  auto known = known_early();
  unwanted_ = early_limits_ = false;
  right_ = result.verdict == verdict_kind::pass;
  hung_ = result.verdict == verdict_kind::timeout;
  if (!right_) plan_ = {telling_failures(lab_.definition, result), {}, {}}, groups_.clear();
  if (const auto& built = build_.get(); built.verdict != verdict_kind::pass) {
    if (!plan_.traced.empty()) fail_untraceable(result, plan_.traced.front(), built.verdict, built.log);
  } else {
    library_ = built.library;
    trace_until_error(result, plan_.traced, right_ ? std::move(known.traced) : std::vector<judged_trace>{});
    if (known.explored.empty() && !failed(result)) known.explored = explore();
    if (!failed(result)) trace_what_is_missing(result, known.explored);
    if (!failed(result)) trace_growth(result);
    if (!failed(result))
      for (const auto& at : plan_.large) result.coverage.missing.push_back({at.launcher->name, at.size, {}, too_large});
  }
  fail_gates_of_idle(result);
  add_host_code(result);
  result.coverage.places = covered_.places();
  result.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A kernel that hung hangs again: the trace waits just long enough to see where.
trace_phase::run_limits trace_phase::limits_of_run() const {
  const double longest = std::min(hanging_kernel_s, options_.timeout_s);
  if (hung_) return {longest, longest + 1};
  if (early_limits_) return {early_kernel_s, early_kernel_s + 1};
  const double left = std::max(budget_.left(), longest);
  return {0, std::min(slower * options_.timeout_s, left), left < slower * options_.timeout_s};
}

// Calls `run` with the options of a run of now. One that gets no time because the check took it all is no slow kernel.
template <class Run>
traced_call trace_phase::within_limits(bool only_coverage, unsigned schedule, const Run& run) const {
  const auto limits = limits_of_run();
  traced_call call = run(trace_options{.seed = seed_,
                                       .library = library_,
                                       .timeout_s = limits.whole,
                                       .confine = options_.confine,
                                       .schedule = schedule,
                                       .kernel_limit_s = limits.kernel,
                                       .only_coverage = only_coverage});
  if (limits.cut && call.verdict == verdict_kind::timeout) call.detail = over_budget("Not traced to the end", budget_);
  return call;
}

traced_call trace_phase::traced_in_turn(const launcher_spec& launcher, const std::vector<problem_size>& sizes) const {
  return within_limits(true, 0, [&](const auto& how) { return trace_in_turn(launcher, sizes, how); });
}

judged_trace trace_phase::run(const trace_target& at, bool only_coverage) const {
  const auto traced = [&](unsigned schedule) {
    return within_limits(only_coverage, schedule, [&](const auto& how) { return trace(*at.launcher, at.size, how); });
  };
  judged_trace call{traced(0)};
  for (unsigned schedule = 1; schedule < options_.schedules && !only_coverage; ++schedule)
    add_schedule(call, traced(schedule), *at.launcher, schedule);
  if (right_ && !only_coverage && !has_hazard(call)) call.values = judged(*at.launcher, at.size, seed_, call);
  call.outputs.clear();
  raise_errors_of(lab_.definition, call.report.hazards);
  return call;
}

// On all cores, the largest first, because it takes longest. After a run with an error no later one starts. The first
// ones may be known.
std::vector<judged_trace> trace_phase::run_each(const std::vector<trace_target>& targets,
                                                std::vector<judged_trace> calls) const {
  std::atomic<std::size_t> end = targets.size();
  const auto known = calls.size();
  calls.resize(targets.size());
  const auto order = largest_first(targets);
  parallel_for(static_cast<std::int64_t>(targets.size()), [&](std::int64_t number) {
    const auto i = order[static_cast<std::size_t>(number)];
    if (i > end || unwanted_) return;
    if (i >= known) calls[i] = run(targets[i], false);
    if (has_error(calls[i]) && i < end) end = i;
  });
  return calls;
}

void trace_phase::trace_until_error(check_result& result, const std::vector<trace_target>& targets,
                                    std::vector<judged_trace> known) {
  const auto calls = run_each(targets, std::move(known));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    add(result, targets[i], calls[i]);
    if (has_error(calls[i])) return;
  }
}

// The sizes that are not traced in any case run without a trace, which takes a tenth of the time, to learn what they
// execute. Most execute nothing new, so many share a process.
std::vector<judged_trace> trace_phase::explore() const {
  std::vector<judged_trace> calls(groups_.size());
  parallel_for(static_cast<std::int64_t>(groups_.size()), [&](std::int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    if (!unwanted_) calls[i] = {traced_in_turn(*groups_[i].launcher, groups_[i].sizes)};
  });
  return calls;
}

// They run again, by themselves, where something is new or a call failed.
void trace_phase::trace_what_is_missing(check_result& result, const std::vector<judged_trace>& explored) {
  std::vector<trace_target> doubtful;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (executes_nothing_new(groups_[i], explored[i])) continue;
    for (const auto& size : groups_[i].sizes) doubtful.push_back({groups_[i].launcher, size});
  }
  std::ranges::stable_sort(doubtful, {}, [](const auto& at) { return estimated_accesses(*at.launcher, at.size); });
  trace_until_error(result, with_new_places(result, doubtful), {});
}

// What a launcher keeps from an earlier call may change which places the next call executes.
bool trace_phase::executes_nothing_new(const size_group& group, const judged_trace& call) const {
  if (std::ranges::find(keeping_, group.launcher) != keeping_.end()) return false;
  return call.verdict == verdict_kind::pass && call.reported && covered_.missing(call.report).empty();
}

// Those that execute what neither a traced size nor one before them executes. Notes what cannot be traced.
std::vector<trace_target> trace_phase::with_new_places(check_result& result,
                                                       const std::vector<trace_target>& targets) const {
  std::vector<judged_trace> calls(targets.size());
  parallel_for(static_cast<std::int64_t>(targets.size()), [&](std::int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    calls[i] = run(targets[i], true);
  });
  auto expected = covered_;
  std::vector<trace_target> some;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto& at = targets[i];
    const auto places = expected.missing(calls[i].report);
    if (calls[i].reported && places.empty()) continue;
    if (calls[i].reported && affordable(at)) {
      some.push_back(at);
      expected.add(calls[i].report);
    } else {
      result.coverage.missing.push_back({at.launcher->name, at.size, places, calls[i].detail});
    }
  }
  return some;
}

// Memory that a launcher keeps for its next call may be lost in that call: a buffer that grows and is not freed before.
void trace_phase::trace_growth(check_result& result) const {
  for (const auto* launcher : keeping_) {
    const auto sizes = smallest_and_largest(*launcher, result.coverage.traced);
    if (sizes.size() < 2) continue;
    const trace_target at{launcher, sizes.back()};
    auto call = traced_in_turn(*launcher, sizes);
    std::erase_if(call.report.hazards, [](const hazard& found) { return found.kind != "leak"; });
    for (auto& lost : call.report.hazards)
      lost.message += fmt::format(": the call at {} kept it, and the next call, at {}, lost it", sizes.front().name(),
                                  sizes.back().name());
    raise_errors_of(lab_.definition, call.report.hazards);
    add_hazards(result, at, call.report);
    add_other_values(result, at, judged(*launcher, at.size, seed_, call));
    if (call.verdict != verdict_kind::pass) fail_untraceable(result, at, call.verdict, call.detail);
  }
}

void trace_phase::add(check_result& result, const trace_target& at, const judged_trace& call) {
  result.coverage.traced.push_back(at);
  if (call.report.kept > 0 && std::ranges::find(keeping_, at.launcher) == keeping_.end())
    keeping_.push_back(at.launcher);
  covered_.add(call.report);
  const auto before = result.cases.size();
  add_hazards(result, at, call.report);
  if (result.verdict != verdict_kind::pass) improve_causes(result, at, call);
  if (right_ && result.cases.size() == before) add_other_values(result, at, call.values);
  if (right_ && call.reported && call.verdict == verdict_kind::pass) add_missing_traffic(result, at, call);
  if (right_ && call.reported) add_gates(result, at, call.report);
  if (result.cases.size() > before) return;
  if (call.verdict != verdict_kind::pass) return fail_untraceable(result, at, call.verdict, call.detail);
  if (!call.reported) fail_untraceable(result, at, verdict_kind::protocol_violation, "the traced run left no report");
}

void trace_phase::add_other_values(check_result& result, const trace_target& at, const call_result& values) const {
  if (values.verdict == verdict_kind::pass) return;
  result.cases.push_back(failed_case(case_phase::trace, at, values.verdict, diagnosis_kind::none,
                                     "the run that counts the traffic computed other values:\n" + values.what));
}

// Wrong values have one cause: what the traced run shows takes the place of a guess that it contradicts.
void trace_phase::improve_causes(check_result& result, const trace_target& at, const traced_call& call) const {
  const auto given = drawn(*at.launcher, at.size, seed_, inputs::lattice);
  const traced_failure traced{call, at.size.name(), which_.source, given};
  for (auto& one : result.cases) {
    if (one.launcher != at.launcher->name || !traceable(one.verdict)) continue;
    if (one.verdict == verdict_kind::input_modified) continue;
    const auto better = cause_by_trace({one.diagnosis, one.why}, traced);
    if (!better) continue;
    name_cause(one, lab_.name, *better);
    one.seen_elsewhere = false;
    one.proven = !call.report.hazards.empty();
  }
}

void trace_phase::add_hazards(check_result& result, const trace_target& at, const trace_report& report) const {
  for (const auto& reported : report.hazards) add_hazard(result, at, at_its_launch(reported, which_.source));
}

void trace_phase::add_hazard(check_result& result, const trace_target& at, const hazard& found) const {
  const auto known = std::ranges::find_if(result.hazards, [&](const auto& h) { return same_place(h, found); });
  if (known == result.hazards.end())
    result.hazards.push_back(found);
  else if (found.error() && !known->error())
    *known = found;  // a warning at a smaller size, such as a race inside a warp
  else
    return;
  if (result.verdict == verdict_kind::pass && found.error())
    result.cases.push_back(failed_case(case_phase::trace, at, verdict_of(found), diagnosis_of(found, which_.source),
                                       describe(found, which_.source)));
}

// Without clang, kernels that use code of the host pass.
void trace_phase::add_host_code(check_result& result) {
  const auto checked = source_check_.get();
  result.source_checked = checked.verdict == verdict_kind::pass;
  if (!result.source_checked) return;
  std::ostringstream messages;
  messages << std::ifstream{checked.library}.rdbuf();
  auto found = host_code_in(which_.source, messages.str());
  raise_errors_of(lab_.definition, found);
  const auto& first = lab_.definition.launchers.front();
  for (const auto& h : found) add_hazard(result, {&first, first.check_sizes.front()}, h);
}

// Less traffic than the problem needs is as wrong as too much: then the counters did not see the work.
void trace_phase::add_missing_traffic(check_result& result, const trace_target& at, const traced_call& call) {
  if (std::ranges::find(idle_, at.launcher->name) != idle_.end()) return;
  const auto why = missing_traffic(*at.launcher, at.size, call.given, lay_out(call.given, zones::bare), call.report);
  if (why.empty()) return;
  idle_.push_back(at.launcher->name);
  result.cases.push_back(failed_case(case_phase::gate, at, verdict_kind::gate, diagnosis_kind::not_on_device, why));
}

void trace_phase::fail_gates_of_idle(check_result& result) const {
  for (auto& held : result.gates)
    if (std::ranges::find(idle_, held.launcher) != idle_.end()) held.passed = false;
}

void trace_phase::add_gates(check_result& result, const trace_target& at, const trace_report& report) const {
  for (const auto& gate : at.launcher->gates) {
    if (gate.at != at.size) continue;
    auto held = measure(gate, report, which_.source);
    held.launcher = at.launcher->name;
    held.remark = held.remark || !which_.gates_count;
    if (!held.passed && !held.remark)
      result.cases.push_back(failed_case(case_phase::gate, at, verdict_kind::gate, diagnosis_of(held), held.message));
    result.gates.push_back(std::move(held));
  }
}

// What cannot be traced cannot pass the gates. But a GPU runs what the simulator does not know.
void trace_phase::fail_untraceable(check_result& result, const trace_target& at, verdict_kind verdict,
                                   const std::string& why) const {
  const bool said = !result.cases.empty() && result.cases.back().traced();
  const bool counts = options_.backend == backend_kind::sim || verdict == verdict_kind::rejected;
  if (result.verdict == verdict_kind::pass && counts && !said)
    result.cases.push_back(failed_case(case_phase::trace, at, verdict, diagnosis_kind::none, why + "\n"));
}

case_result trace_phase::failed_case(case_phase phase, const trace_target& at, verdict_kind verdict,
                                     diagnosis_kind diagnosis, const std::string& what) const {
  case_result failed{{phase, at.launcher->name, at.size}};
  failed.verdict = verdict;
  failed.diagnosis = diagnosis;
  failed.hint = hint_for(lab_.name, failed.launcher, diagnosis);
  failed.message = fmt::format("{} at {}: the values are right, but:\n{}", at.launcher->name, at.size.name(), what);
  failed.message += next_step(number_of(lab_.name, failed.launcher), failed.hint, diagnosis, verdict);
  return failed;
}

}  // namespace lab::judge
