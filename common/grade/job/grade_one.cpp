#include "grade/job/grade_one.hpp"

#include <algorithm>
#include <chrono>

#include "build/kernel_variant.hpp"
#include "grade/job/graded_cases.hpp"
#include "grade/job/graded_speed.hpp"
#include "grade/job/plan_cases.hpp"
#include "grade/job/points.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

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
  add_check(graded, lab, checked, plan, policy.of(job.lab), job);
  const bool ran = graded.verdict != verdict_kind::compile_error && graded.verdict != verdict_kind::compile_limit;
  if (ran && is_final(graded.verdict)) run_hidden(graded, lab, kernel, policy.of(job.lab), options, plan);
  // Without a GPU it would measure the simulator, often for minutes.
  if (graded.verdict == verdict_kind::pass && options.backend == backend_kind::cuda)
    add_speed(graded, lab, kernel, {policy.of(job.lab), policy.clock}, options);
}

}  // namespace

row grade_one(const grading_plan& plan, const grading_policy& policy, const grading_job& job, unsigned slot) {
  auto graded = row_without_run(plan, policy, job, verdict_kind::infra_error, "");
  if (job.trouble) {
    graded.verdict = job.trouble.verdict;
    graded.message = sanitize::line(job.trouble.message);
    if (graded.verdict == verdict_kind::unreadable) graded.flags.push_back("ask the student for a readable file");
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
