#include "grade/course/regrade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "lab/lab_definition.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

bool chosen(const regrade_choice& choice, const grading_job& job) {
  return choice.student == job.student && (choice.lab.empty() || choice.lab == job.lab);
}

std::string students_in(const grading_plan& plan) {
  constexpr std::size_t most = 20;
  std::set<std::string> names;
  for (const auto& job : plan.jobs) names.insert(sanitize::log(job.student));
  const std::vector<std::string> first{names.begin(), std::next(names.begin(), std::min(most, names.size()))};
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > most ? " and others" : "");
}

void require_row(const regrade_choice& choice, const grading_plan& before) {
  if (std::ranges::any_of(before.jobs, [&](const auto& job) { return chosen(choice, job); })) return;
  const regrade_choice any_lab{choice.student, {}};
  if (std::ranges::any_of(before.jobs, [&](const auto& job) { return chosen(any_lab, job); }))
    throw usage_error(fmt::format("--regrade: the grading has no row of {} for {}; it has the labs {}",
                                  sanitize::log(choice.student), choice.lab, fmt::join(before.labs, ", ")));
  throw usage_error(fmt::format("--regrade: the grading has no student {}; it has {}", sanitize::log(choice.student),
                                students_in(before)));
}

}  // namespace

regrade_choice regrade_choice_from(const std::string& text) {
  if (text.empty()) throw usage_error("--regrade needs a student, such as ada or ada:05");
  const auto colon = text.rfind(':');
  if (colon == text.npos) return {text, {}};
  try {
    return {text.substr(0, colon), find(text.substr(colon + 1)).name};
  } catch (const usage_error&) {
    return {text, {}};
  }
}

std::vector<std::size_t> keep_all_but(const std::vector<regrade_choice>& choices, const grading_plan& before,
                                      grading_plan& plan) {
  for (const auto& choice : choices) require_row(choice, before);
  auto jobs = before.jobs;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto& job = jobs[i];
    if (std::ranges::none_of(choices, [&](const auto& choice) { return chosen(choice, job); })) continue;
    const auto again = std::ranges::find_if(
        plan.jobs, [&](const grading_job& one) { return one.student == job.student && one.lab == job.lab; });
    if (again == plan.jobs.end())
      throw usage_error(fmt::format("--regrade: {} has no submission in this folder", sanitize::log(job.student)));
    job = *again;
    numbers.push_back(i);
  }
  plan.jobs = std::move(jobs);
  return numbers;
}

}  // namespace lab::grade
