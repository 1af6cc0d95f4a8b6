#pragma once

#include <functional>

#include "grade/job/plan.hpp"
#include "support/parallel.hpp"

namespace lab::grade {

/// Receives each row as soon as its job ends, infra_error included.
using row_sink = std::function<void(const row&)>;

/// The command `lab grade-worker` that grades job `number` of a plan and writes its row to `record`.
std::vector<std::string> worker_command(const grading_plan& plan, std::size_t number,
                                        const std::filesystem::path& record);

/// Runs in the worker: grades the job, then writes its row in one step.
void run_worker(const std::filesystem::path& plan_file, std::size_t number, const std::filesystem::path& record);

/// Starts a worker for the job, whose kernels may keep `threads` cores busy, and ends it after the policy's
/// `job_seconds`.
void run_supervised_worker(const std::filesystem::path& plan_file, std::size_t number,
                           const std::filesystem::path& record, unsigned threads);

/// The row that a worker wrote. If it is missing or damaged: an infra_error with the worker's `ending`.
row read_record(const grading_plan& plan, const grading_policy& policy, std::size_t number,
                const std::filesystem::path& record, const std::string& ending);

/// How many jobs run at a time, and how many cores they may keep busy together.
struct machine_share {
  unsigned jobs = 1, threads = cores();
};

/// Runs the numbered jobs in worker processes on this machine.
void run_here(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
              machine_share share, const row_sink& done);

}  // namespace lab::grade
