#pragma once

#include "grade/course/executor.hpp"

namespace lab::grade {

/// Runs the numbered jobs as one Slurm array, at most `width` at a time (0: as many as the cluster gives), and a
/// dependent job that collects when the last has ended, however it ended. Waits for that; if this process is killed
/// meanwhile, the cluster goes on, and --resume takes in what it did. @throws std::runtime_error where Slurm refuses
void run_on_slurm(const plan& p, const policy& rules, const std::vector<std::size_t>& numbers, unsigned width,
                  const row_sink& done);

/// Hands the rows over that array tasks have left, and removes their files; a task that left none is passed over.
void take_records(const plan& p, const policy& rules, const row_sink& done);

/// Whether sbatch can be found.
bool slurm_is_there();

}  // namespace lab::grade
