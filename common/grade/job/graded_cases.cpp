#include "grade/job/graded_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "support/installation.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

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

// Where a case's message goes on after its first line and after what the kernel printed, whose lines are indented.
std::size_t begin_of_reason(const std::string& text) {
  auto at = text.find_first_not_of(" \n", text.find('\n'));
  if (at == text.npos || text.compare(at, 10, "It printed") != 0) return at;
  do at = text.find('\n', at) + 1;
  while (text.compare(at, 4, "    ") == 0);
  return at;
}

// One line for the table: the compiler's first error, or else the reason. The first line repeats the location.
std::string summary_line(const std::string& text) {
  if (const auto error = text.find("error: "); error != std::string::npos)
    return sanitize::line(text.substr(error, text.find('\n', error) - error), 300);
  const auto end = text.find('\n'), next = begin_of_reason(text);
  return sanitize::line(
      next == std::string::npos ? text.substr(0, end) : text.substr(next, text.find('\n', next) - next), 300);
}

// Hazards and gates come from counters in the memory of the student's process, so host code could forge them.
bool counts(const judge::case_result& tested, const lab_policy& rules) {
  return rules.gates != gate_use::advisory || !tested.traced();
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

std::string diagnosis_word(const judge::case_result& tested) {
  const auto kind = word(tested.diagnosis);
  return kind.empty() ? "none" : std::string{kind};
}

void add_cases(row& graded, const judge::check_result& checked, const grading_plan& plan, const lab_policy& rules,
               const grading_job& job) {
  std::set<std::string> traced;
  for (const auto& tested : checked.cases) {
    // However many hazards a launcher has, or reports, they are one failed case.
    const bool again = tested.phase == judge::case_phase::trace && !traced.insert(tested.launcher).second;
    auto& to = counts(tested, rules) && !again ? graded.cases : graded.advice;
    const auto name = case_name_of(tested);
    graded.timed_out = graded.timed_out || tested.verdict == verdict_kind::timeout;
    to.push_back({name, with_the_students_path(tested.message, job), tested.verdict, is_free(plan, job.lab, name),
                  tested.traced(), diagnosis_word(tested)});
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

void summarize(row& graded) {
  graded.verdict = verdict_kind::pass;
  const auto bad =
      std::ranges::find_if(graded.cases, [](const auto& tested) { return tested.verdict != verdict_kind::pass; });
  if (bad == graded.cases.end()) return;
  graded.verdict = bad->verdict;
  graded.message = bad->name + ": " + summary_line(bad->message);
}

}  // namespace

std::string case_name_of(const judge::case_result& tested) {
  return tested.launcher.empty() ? tested.name() : tested.launcher + " " + tested.name();
}

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

void add_check(row& graded, const entry& lab, const judge::check_result& checked, const grading_plan& plan,
               const lab_policy& rules, const grading_job& job) {
  graded.build_seconds = checked.build_seconds;
  add_cases(graded, checked, plan, rules, job);
  add_gates(graded, lab, checked, plan);
  add_stages(graded, checked);
  summarize(graded);
  leave_out_unknown_gates(graded, checked);
}

// Students see only how many hidden cases passed, because their messages would show sizes and inputs. The teacher's
// record names those that failed. A pass of a case that the starter passes counts for nothing.
void add_hidden(row& graded, const judge::check_result& checked, const grading_plan& plan) {
  for (const auto& tested : checked.cases) {
    graded.timed_out = graded.timed_out || tested.verdict == verdict_kind::timeout;
    if (tested.verdict == verdict_kind::pass && is_free(plan, graded.lab, case_name_of(tested))) continue;
    ++graded.hidden_total;
    if (tested.verdict == verdict_kind::pass) {
      ++graded.hidden_passed;
      continue;
    }
    graded.hidden_failures.push_back(
        fmt::format("{}: {}; seed {}", case_name_of(tested), word(tested.verdict), tested.seed));
    if (graded.verdict != verdict_kind::pass) continue;
    graded.verdict = tested.verdict;
    graded.message = "A hidden case failed. Its size and values stay hidden. Check your kernel at more sizes.";
  }
}

}  // namespace lab::grade
