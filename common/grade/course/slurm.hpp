#pragma once

#include "grade/course/executor.hpp"

namespace lab::grade {

/// Runs the numbered jobs as one Slurm array, at most `width` at a time (0: no limit). A dependent job collects the
/// rows after the last task has ended. Waits for that job. If this process is killed, the cluster continues, and
/// --resume reads its rows. @throws std::runtime_error if Slurm refuses the jobs
void run_on_slurm(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
                  unsigned width, const row_sink& done);

/// Passes the rows that array tasks wrote to `done`, and removes their files.
void take_records(const grading_plan& plan, const grading_policy& policy, const row_sink& done);

/// Whether sbatch runs.
bool slurm_is_available();

}  // namespace lab::grade
