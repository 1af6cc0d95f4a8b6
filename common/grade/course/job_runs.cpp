#include "grade/course/job_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "grade/course/executor.hpp"
#include "grade/course/slurm.hpp"
#include "support/parallel.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

using clock = std::chrono::steady_clock;

class progress_line {
 public:
  progress_line(const grading_request& request, std::size_t all, std::size_t done)
      : request_{request}, all_{all}, done_{done}, before_{done} {}

  void add(const row& graded) {
    ++done_;
    if (!request_.progress) return;
    const std::chrono::duration<double> passed = clock::now() - begin_;
    const double left = passed.count() / double(done_ - before_) * double(all_ - done_);
    request_.progress(fmt::format("[{}/{}, {:.0f} s left] {} {}: {}", done_, all_, left, sanitize::log(graded.student),
                                  graded.lab, word(graded.verdict)));
  }
  void remove(std::size_t unfinished) { done_ -= unfinished; }

 private:
  const grading_request& request_;
  std::size_t all_, done_, before_;
  clock::time_point begin_ = clock::now();
};

// On a GPU jobs run one at a time because they are timed.
unsigned width_of(const grading_request& request) {
  if (request.jobs > 0) return request.jobs;
  return request.backend == backend_kind::cuda ? 1 : cores();
}

using run_jobs = std::function<void(const std::vector<std::size_t>& numbers, company with, const row_sink& take)>;

row judged_alone(row graded) {
  graded.flags.push_back(graded.timed_out ? "a case took too long beside other jobs, and again alone"
                                          : "a case took too long beside other jobs, but not alone, which counts");
  return graded;
}

// Beside other jobs a kernel is slower. So a job with a timeout runs again, alone, and that run counts.
void run_beside_others(const grading_plan& plan, const std::vector<std::size_t>& numbers, const run_jobs& run,
                       const row_sink& take) {
  std::set<std::string> timed_out;
  run(numbers, company::others, [&](const row& graded) {
    if (graded.timed_out)
      timed_out.insert(graded.key);
    else
      take(graded);
  });
  std::vector<std::size_t> again;
  std::ranges::copy_if(numbers, std::back_inserter(again),
                       [&](std::size_t number) { return timed_out.contains(plan.jobs[number].key); });
  if (again.empty()) return;
  run(again, company::none, [&](const row& graded) { take(judged_alone(graded)); });
}

void run_on_this_machine(const grading_plan& plan, const grading_policy& policy,
                         const std::vector<std::size_t>& numbers, unsigned width, const row_sink& take) {
  if (std::min<std::size_t>(width, numbers.size()) < 2) return run_here(plan, policy, numbers, {width}, take);
  const auto run = [&](const auto& some, company with, const row_sink& sink) {
    run_here(plan, policy, some, {with == company::others ? width : 1}, sink);
  };
  run_beside_others(plan, numbers, run, take);
}

// Beside the jobs of others in any case.
void run_on_a_cluster(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
                      unsigned width, const row_sink& take) {
  const auto run = [&](const auto& some, company with, const row_sink& sink) {
    run_on_slurm(plan, policy, some, {width, with}, sink);
  };
  run_beside_others(plan, numbers, run, take);
}

}  // namespace

void take_left_records(const grading_plan& plan, const grading_policy& policy, const row_sink& done) {
  take_records(plan, policy, company::others, [&](const row& graded) {
    if (!graded.timed_out) return done(graded);
    const auto job = std::ranges::find(plan.jobs, graded.key, &grading_job::key);
    done(row_without_run(plan, policy, *job, verdict_kind::infra_error,
                         "a case took too long beside other jobs; run again with --resume, which judges it alone"));
  });
  take_records(plan, policy, company::none, [&](const row& graded) { done(judged_alone(graded)); });
}

void grade_jobs(const grading_plan& plan, const grading_policy& policy, const grading_request& request,
                std::vector<std::size_t> numbers, record_log& log) {
  progress_line line{request, plan.jobs.size(), plan.jobs.size() - numbers.size()};
  std::set<std::string> done;
  const auto take = [&](const row& graded) {
    log.add(graded);
    line.add(graded);
    if (graded.verdict != verdict_kind::infra_error) done.insert(graded.key);
  };
  for (int attempt = 0; attempt < 2 && !numbers.empty(); ++attempt) {
    if (request.executor == executor_kind::slurm)
      run_on_a_cluster(plan, policy, numbers, request.jobs, take);
    else
      run_on_this_machine(plan, policy, numbers, width_of(request), take);
    std::erase_if(numbers, [&](std::size_t number) { return done.contains(plan.jobs[number].key); });
    line.remove(numbers.size());
  }
  for (const auto number : numbers)
    if (request.warn && !request.regrade.empty())
      request.warn(fmt::format("a machine error: {} {} is not graded again; repeat the command",
                               sanitize::log(plan.jobs[number].student), plan.jobs[number].lab));
}

}  // namespace lab::grade
