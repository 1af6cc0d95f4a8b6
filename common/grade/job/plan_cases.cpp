#include "grade/job/plan_cases.hpp"

#include <algorithm>
#include <filesystem>

#include "build/kernel_variant.hpp"
#include "grade/job/fresh_sizes.hpp"
#include "grade/job/graded_cases.hpp"
#include "judge/session.hpp"

namespace lab::grade {

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

std::vector<problem_size> hidden_sizes(const grading_plan& plan, const lab_policy& rule, const std::string& lab) {
  auto all = rule.hidden;
  if (const auto fresh = plan.fresh_sizes.find(lab); fresh != plan.fresh_sizes.end())
    all.insert(all.end(), fresh->second.begin(), fresh->second.end());
  return all;
}

std::vector<std::string> free_cases_of(const grading_plan& plan, const grading_policy& policy, const std::string& lab) {
  auto options = options_for(plan, policy, 0);
  const auto& entry = find(lab);
  const auto starter = judge::untouched_starter_of(entry);
  std::vector<std::string> names;
  const auto add_values = [&](const judge::check_result& checked) {
    for (const auto& tested : checked.cases)
      if (tested.verdict == verdict_kind::pass && !tested.traced()) names.push_back(case_name_of(tested));
  };
  // Most starters have wrong values. A trace would only find their cause.
  auto values_only = options;
  values_only.traced = false;
  auto checked = judge::check(entry, starter, values_only);
  if (checked.verdict == verdict_kind::pass) checked = judge::check(entry, starter, options);
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

}  // namespace lab::grade
