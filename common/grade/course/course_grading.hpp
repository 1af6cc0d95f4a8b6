#pragma once

#include <functional>
#include <optional>

#include "grade/course/regrade.hpp"
#include "grade/job/plan.hpp"

namespace lab::grade {

enum class executor_kind { local, slurm };

struct grading_request {
  std::filesystem::path submissions, out;
  std::vector<std::string> labs{};        ///< names; empty for all
  std::string roster{};                   ///< the text of a CSV file with all students; may be empty
  std::optional<nlohmann::json> rules{};  ///< the policy; without one that of the grading that is regraded, or none
  std::string policy_name = "policy", policy_text{};  ///< of the policy's file, to name lines
  backend_kind backend = backend_kind::sim;
  sandbox::level sandbox_level = sandbox::level::none;
  executor_kind executor = executor_kind::local;
  unsigned jobs = 0;                      ///< at the same time; 0 for one per core, or one on a GPU
  bool resume = false;                    ///< continue the grading in `out`
  std::vector<regrade_choice> regrade{};  ///< grade only these rows of the grading in `out` again
  std::function<void(const std::string& line)> progress{};
  std::function<void(const std::string& text)> warn{};  ///< what the instructor should look at
};

/// Grades a class and writes the reports. Every student and lab has a row; what belongs to no student is listed in
/// OUT/not_graded.csv. A row that a machine error left without a
/// verdict is graded a second time. With `regrade`, all other rows stay as they are. @throws usage_error,
/// std::runtime_error
std::vector<row> grade_class(const grading_request& request);

/// The collecting job of a cluster: reads the rows of the array's tasks and writes the reports. Does nothing while the
/// grader that submitted the tasks still runs.
void collect_class(const std::filesystem::path& plan_file);

/// The row of each job of a plan, in the plan's order. Jobs without a row get infra_error.
std::vector<row> rows_of(const grading_plan& plan, const grading_policy& policy,
                         const std::map<std::string, row>& known);

}  // namespace lab::grade
