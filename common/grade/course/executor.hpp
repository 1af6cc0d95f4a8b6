#pragma once

#include <functional>

#include "grade/job/plan.hpp"

namespace lab::grade {

/// How the jobs of a plan are run. `done` is called with every row as soon as it is known, infra_error included.
using row_sink = std::function<void(const row&)>;

/// The worker that grades job `number` of a plan and writes its row to `record`: `lab grade-worker`.
std::vector<std::string> worker_command(const plan& p, std::size_t number, const std::filesystem::path& record);

/// What a worker does: grades the job and writes its row in one step.
void work(const std::filesystem::path& plan_file, std::size_t number, const std::filesystem::path& record);

/// The same in a worker process, which is ended when the whole job takes too long.
void supervise(const std::filesystem::path& plan_file, std::size_t number, const std::filesystem::path& record);

/// The row that a worker wrote; if there is none or it is damaged, an infra_error that says so.
row read_record(const plan& p, const policy& rules, std::size_t number, const std::filesystem::path& record,
                const std::string& otherwise);

/// Runs the numbered jobs in worker processes of this machine, `width` at a time.
void run_here(const plan& p, const policy& rules, const std::vector<std::size_t>& numbers, unsigned width,
              const row_sink& done);

}  // namespace lab::grade
