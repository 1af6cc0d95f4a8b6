#include "grade/course/class_roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

// The name that an absent student's rows have: the first cell that is not empty.
std::string name_of(const std::vector<std::string>& line) {
  return sanitize::line(*std::ranges::find_if(line, [](const auto& cell) { return !cell.empty(); }), 100);
}

}  // namespace

roster roster_of(const grading_plan& plan) {
  return plan.roster.empty() ? roster{} : roster_from(plan.roster, "the roster");
}

void add_absent_students(const grading_plan& plan, std::vector<submission>& students) {
  const auto known = roster_of(plan);
  std::set<const std::vector<std::string>*> present;
  for (const auto& one : students) present.insert(known.find(one.student));
  for (const auto& line : known.lines)
    if (is_student(line) && !present.contains(&line))
      students.push_back({.student = name_of(line), .trouble = {"nothing was handed in"}});
}

void warn_of_unknown_students(const grading_request& request, const grading_plan& plan,
                              const std::vector<submission>& students) {
  const auto known = roster_of(plan);
  for (const auto& one : students)
    if (request.warn && !known.header.empty() && !known.find(one.student))
      request.warn(
          fmt::format("{} is not in the roster: graded, but not in gradebook.csv", sanitize::log(one.student)));
}

void warn_of_unknown_times(const grading_request& request, const grading_policy& policy,
                           const std::vector<submission>& students) {
  std::set<std::string> known;
  for (const auto& [student, time] : policy.standard.late.times) known.insert(student);
  for (const auto& [lab, rules] : policy.labs)
    for (const auto& [student, time] : rules.late.times) known.insert(student);
  for (const auto& student : known)
    if (request.warn && std::ranges::find(students, student, &submission::student) == students.end())
      request.warn(fmt::format("late.times has a time for {}, who handed nothing in", sanitize::log(student)));
}

}  // namespace lab::grade
