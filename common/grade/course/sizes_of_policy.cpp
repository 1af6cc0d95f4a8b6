#include "grade/course/sizes_of_policy.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "build/kernel_variant.hpp"
#include "grade/job/plan_cases.hpp"
#include "grade/job/points.hpp"
#include "grade/job/policy_reader.hpp"

namespace lab::grade {

namespace {

// Where the policy gives a lab's sizes: "labs.05.speed", or "default.speed".
std::string place_of(const nlohmann::json& rules, const std::string& lab, const std::string& key) {
  const auto labs = rules.value("labs", nlohmann::json::object());
  for (const auto& [name, own] : labs.items())
    if (find(name).name == lab && own.contains(key)) return "labs." + name + "." + key;
  return "default." + key;
}

// What the solution gets at a size; pass if that cannot be found out.
verdict_kind verdict_of_solution(const entry& lab, judge::check_options options, const problem_size& size) {
  const auto solution = judge::solution_of(lab);
  if (!std::filesystem::exists(solution.source)) return verdict_kind::pass;
  options.sizes = {size};
  options.traced = options.again = false;
  options.verdict_only = true;
  const auto verdict = judge::check(lab, solution, options).verdict;
  return is_final(verdict) ? verdict : verdict_kind::pass;
}

}  // namespace

void require_sizes_that_can_pass(const grading_request& request, const grading_plan& plan,
                                 const grading_policy& policy) {
  mistake_list mistakes{request.policy_name, request.policy_text};
  const auto options = options_for(plan, policy, 0);
  for (const auto& name : plan.labs) {
    const auto& lab = find(name);
    const auto add = [&](const char* key, const std::vector<problem_size>& sizes) {
      if (!sizes.empty() && request.progress)
        request.progress(fmt::format("running the solution of {} at the policy's sizes", name));
      for (const auto& size : sizes)
        if (const auto got = verdict_of_solution(lab, options, size); got != verdict_kind::pass)
          mistakes.add(place_of(plan.rules, name, key),
                       fmt::format("has a size at which the solution of {} gets {}: {}; write a smaller size, or raise "
                                   "case_seconds or memory_mib",
                                   name, word(got), size.name()));
    };
    add("hidden_sizes", policy.of(name).hidden);
    if (plan.backend != backend_kind::cuda) continue;  // speed is not measured
    std::vector<problem_size> timed;
    for (const auto& rule : policy.of(name).speed) timed.push_back(rule.size);
    add("speed", timed);
  }
  mistakes.throw_if_any();
}

}  // namespace lab::grade
