#pragma once

#include "grade/course/executor.hpp"

namespace lab::grade {

/// What other jobs may run on the same node.
enum class company { others, none };

struct cluster_share {
  unsigned tasks = 0;  ///< that run at a time; 0: no limit
  company with = company::others;
};

/// Runs the numbered jobs as one Slurm array. A dependent job collects the rows after the last task has ended. Waits
/// for that job. If this process is killed, the cluster continues, and --resume reads its rows. @throws
/// std::runtime_error if Slurm refuses the jobs
void run_on_slurm(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
                  cluster_share share, const row_sink& done);

/// Passes the rows that tasks in this company wrote to `done`, and removes their files.
void take_records(const grading_plan& plan, const grading_policy& policy, company with, const row_sink& done);

/// Whether sbatch runs.
bool slurm_is_available();

}  // namespace lab::grade
