#include "grade/job/grade_one.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "build/kernel_variant.hpp"
#include "grade/job/fresh_sizes.hpp"
#include "grade/job/graded_speed.hpp"
#include "grade/job/points.hpp"
#include "judge/session.hpp"
#include "support/installation.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

judge::check_options options_for(const grading_plan& plan, const grading_policy& policy, unsigned slot) {
  judge::check_options options;
  options.backend = plan.backend;
  options.timeout_s = policy.case_seconds;
  options.build_timeout_s = policy.build_seconds;
  options.memory_bytes = policy.memory_mib << 20;
  options.confine = sandbox::confinement_of(plan.sandbox_level, slot);
  options.again = options.countable = true;
  options.seed = plan.seed;
  return options;
}

// The text with each key replaced by its value, in one pass: a replacement may contain a key.
std::string replaced(std::string_view text, std::span<const std::pair<std::string, std::string>> replacements) {
  std::string result;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(replacements, [&](const auto& r) { return text.starts_with(r.first); });
    result += found == replacements.end() ? std::string{text.front()} : found->second;
    text.remove_prefix(found == replacements.end() ? 1 : found->first.size());
  }
  return result;
}

// Replaces the paths of the grader's copies: the student must not learn where the grader stores files. Positions are
// printed with the copy's name alone.
std::string with_the_students_path(const std::string& text, const grading_job& job) {
  const std::vector<std::pair<std::string, std::string>> replacements{
      {job.source.string(), job.file},
      {job.source.parent_path().string() + "/", ""},
      {lab::here().root.string() + "/", ""},
      {job.source.filename().string() + ":", std::filesystem::path{job.file}.filename().string() + ":"}};
  return sanitize::plain(replaced(text, replacements), 4096);
}

// One line for the table: the compiler's first error, or else the second line. The first line repeats the location.
std::string summary_line(const std::string& text) {
  if (const auto error = text.find("error: "); error != std::string::npos)
    return sanitize::line(text.substr(error, text.find('\n', error) - error), 300);
  const auto end = text.find('\n'), next = text.find_first_not_of(" \n", end);
  return sanitize::line(
      next == std::string::npos ? text.substr(0, end) : text.substr(next, text.find('\n', next) - next), 300);
}

// Hazards and gates come from counters in the memory of the student's process, so host code could forge them.
bool counts(const judge::case_result& tested, const lab_policy& rules) {
  return rules.gates != gate_use::advisory || !tested.traced();
}

// All gates of the lab that are no remarks. A gate that was not measured did not pass.
std::vector<gate_row> gates_of(const entry& lab, const judge::check_result& checked) {
  std::vector<gate_row> gates;
  for (const auto& launcher : lab.definition.launchers)
    for (const auto& wanted : launcher.gates) {
      if (wanted.remark()) continue;
      const auto is = [&](const judge::gate_result& held) {
        return held.launcher == launcher.name && held.metric == wanted.metric && held.size == wanted.at.name() &&
               held.kernel == wanted.kernel;
      };
      const auto held = std::ranges::find_if(checked.gates, is);
      gates.push_back({launcher.name, fmt::format("{} {} {}", launcher.name, word(wanted.metric), wanted.at.name()),
                       held != checked.gates.end() && held->passed});
    }
  return gates;
}

bool is_free(const grading_plan& plan, const std::string& lab, const std::string& name) {
  const auto at = plan.free_cases.find(lab);
  return at != plan.free_cases.end() && std::ranges::find(at->second, name) != at->second.end();
}

void add_gates(row& graded, const entry& lab, const judge::check_result& checked, const grading_plan& plan) {
  graded.gates = gates_of(lab, checked);
  for (auto& one : graded.gates) one.free = is_free(plan, lab.name, one.name);
  graded.gates_total = static_cast<int>(graded.gates.size());
  graded.gates_passed = static_cast<int>(std::ranges::count(graded.gates, true, &gate_row::passed));
  for (const auto& gate : checked.gates)
    if (gate.limit < lab::gate{}.limit)
      graded.traffic.push_back({std::string{word(gate.metric)}, gate.size, gate.value});
}

std::string name_of(const judge::case_result& tested) {
  return tested.launcher.empty() ? tested.name() : tested.launcher + " " + tested.name();
}

void add_cases(row& graded, const judge::check_result& checked, const grading_plan& plan, const lab_policy& rules,
               const grading_job& job) {
  std::set<std::string> traced;
  for (const auto& tested : checked.cases) {
    // However many hazards a launcher has, or reports, they are one failed case.
    const bool again = tested.phase == judge::case_phase::trace && !traced.insert(tested.launcher).second;
    auto& to = counts(tested, rules) && !again ? graded.cases : graded.advice;
    const auto name = name_of(tested);
    graded.timed_out = graded.timed_out || tested.verdict == verdict_kind::timeout;
    to.push_back({name, with_the_students_path(tested.message, job), tested.verdict, is_free(plan, job.lab, name),
                  tested.traced(), std::string{word(tested.diagnosis)}});
  }
}

// A GPU runs kernels that the simulator does not know. Their traffic is unknown, and takes no points.
void leave_out_unknown_gates(row& graded, const judge::check_result& checked) {
  if (graded.backend != "cuda" || graded.verdict != verdict_kind::pass || !checked.gates.empty()) return;
  if (!graded.gates.empty()) graded.flags.push_back("the simulator cannot run this kernel: its gates are not known");
  graded.gates.clear();
  graded.gates_total = graded.gates_passed = 0;
}

void add_stages(row& graded, const judge::check_result& checked) {
  for (const auto& stage : checked.stages) graded.stages.push_back({stage.number, stage.title, stage.verdict});
}

// Students see only how many hidden cases passed, because their messages would show sizes and inputs. The teacher's
// record names those that failed. A pass of a case that the starter passes counts for nothing.
void add_hidden(row& graded, const judge::check_result& checked, const grading_plan& plan) {
  for (const auto& tested : checked.cases) {
    graded.timed_out = graded.timed_out || tested.verdict == verdict_kind::timeout;
    if (tested.verdict == verdict_kind::pass && is_free(plan, graded.lab, name_of(tested))) continue;
    ++graded.hidden_total;
    if (tested.verdict == verdict_kind::pass) {
      ++graded.hidden_passed;
      continue;
    }
    graded.hidden_failures.push_back(
        fmt::format("{}: {}; seed {}", name_of(tested), word(tested.verdict), tested.seed));
    if (graded.verdict != verdict_kind::pass) continue;
    graded.verdict = tested.verdict;
    graded.message = "A hidden case failed. Its size and values stay hidden. Check your kernel at more sizes.";
  }
}

void summarize(row& graded) {
  graded.verdict = verdict_kind::pass;
  const auto bad =
      std::ranges::find_if(graded.cases, [](const auto& tested) { return tested.verdict != verdict_kind::pass; });
  if (bad == graded.cases.end()) return;
  graded.verdict = bad->verdict;
  graded.message = bad->name + ": " + summary_line(bad->message);
}

std::vector<problem_size> hidden_sizes(const grading_plan& plan, const lab_policy& rule, const std::string& lab) {
  auto all = rule.hidden;
  if (const auto fresh = plan.fresh_sizes.find(lab); fresh != plan.fresh_sizes.end())
    all.insert(all.end(), fresh->second.begin(), fresh->second.end());
  return all;
}

constexpr double after_a_timeout_s = 3;

void run_hidden(row& graded, const entry& lab, const judge::kernel_variant& kernel, const lab_policy& rule,
                judge::check_options options, const grading_plan& plan) {
  options.sizes = hidden_sizes(plan, rule, lab.name);
  if (options.sizes.empty()) return;
  options.seed = plan.hidden_seed;
  options.traced = false;
  // What took too long once takes too long again.
  if (graded.verdict == verdict_kind::timeout) options.timeout_s = std::min(options.timeout_s, after_a_timeout_s);
  add_hidden(graded, judge::check(lab, kernel, options), plan);
}

void run_all(row& graded, const grading_plan& plan, const grading_policy& policy, const grading_job& job,
             unsigned slot) {
  const auto& lab = find(job.lab);
  const auto options = options_for(plan, policy, slot);
  const judge::kernel_variant kernel{"file", job.source};
  graded.seed = *options.seed;
  const auto checked = judge::check(lab, kernel, options);
  graded.build_seconds = checked.build_seconds;
  add_cases(graded, checked, plan, policy.of(job.lab), job);
  add_gates(graded, lab, checked, plan);
  add_stages(graded, checked);
  summarize(graded);
  leave_out_unknown_gates(graded, checked);
  const bool ran = graded.verdict != verdict_kind::compile_error && graded.verdict != verdict_kind::compile_limit;
  if (ran && is_final(graded.verdict)) run_hidden(graded, lab, kernel, policy.of(job.lab), options, plan);
  if (graded.verdict == verdict_kind::pass) add_speed(graded, lab, kernel, {policy.of(job.lab), policy.clock}, options);
}

}  // namespace

std::vector<std::string> free_cases_of(const grading_plan& plan, const grading_policy& policy, const std::string& lab) {
  auto options = options_for(plan, policy, 0);
  const auto& entry = find(lab);
  const auto starter = judge::untouched_starter_of(entry);
  std::vector<std::string> names;
  const auto add_values = [&](const judge::check_result& checked) {
    for (const auto& tested : checked.cases)
      if (tested.verdict == verdict_kind::pass && !tested.traced()) names.push_back(name_of(tested));
  };
  const auto checked = judge::check(entry, starter, options);
  add_values(checked);
  for (const auto& held : gates_of(entry, checked))
    if (held.passed) names.push_back(held.name);
  options.sizes = hidden_sizes(plan, policy.of(lab), lab);
  options.seed = plan.hidden_seed;
  options.traced = false;
  if (!options.sizes.empty()) add_values(judge::check(entry, starter, options));
  return names;
}

std::vector<problem_size> fresh_sizes_of(const grading_plan& plan, const grading_policy& policy,
                                         const std::string& lab) {
  const auto& entry = find(lab);
  const auto solution = judge::solution_of(entry);
  const auto wanted = policy.of(lab).fresh;
  auto options = options_for(plan, policy, 0);
  options.traced = options.again = false;
  options.seed = plan.hidden_seed;
  std::vector<problem_size> good;
  if (wanted == 0 || !std::filesystem::exists(solution.source)) return good;
  for (const auto& size : drawn_sizes(entry, 2 * wanted, plan.hidden_seed)) {
    const auto alike = [&](const problem_size& other) { return other.axes() == size.axes(); };
    if (std::ranges::count_if(good, alike) >= static_cast<std::ptrdiff_t>(wanted)) continue;
    options.sizes = {size};
    if (judge::check(entry, solution, options).verdict == verdict_kind::pass) good.push_back(size);
  }
  return good;
}

row grade_one(const grading_plan& plan, const grading_policy& policy, const grading_job& job, unsigned slot) {
  auto graded = row_without_run(plan, policy, job, verdict_kind::infra_error, "");
  if (!job.trouble.empty()) {
    graded.verdict = verdict_kind::collect_error;
    graded.message = sanitize::line(job.trouble);
    return graded;
  }
  const auto begin = std::chrono::steady_clock::now();
  try {
    run_all(graded, plan, policy, job, slot);
  } catch (const std::exception& error) {
    graded.verdict = verdict_kind::infra_error;
    graded.message = sanitize::line(error.what());
  }
  graded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  add_points(graded, policy, job);
  return graded;
}

}  // namespace lab::grade
