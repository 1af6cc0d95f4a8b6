#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grade/collect/collect.hpp"
#include "grade/job/policy.hpp"
#include "grade/job/row.hpp"

namespace lab::grade {

/// One student's kernel for one lab. One worker process grades it.
struct grading_job {
  std::string key;  ///< fingerprint of the source, the policy and all else that the verdict depends on
  std::string student, lab, file;
  std::filesystem::path source{};  ///< a copy in the plan's folder; empty if `trouble` is not
  collect_trouble trouble{};       ///< why there is nothing to grade
  std::time_t time = 0;
};

/// The input of the worker processes, stored in OUT/.grade/plan.json. Students must not see it: it has the hidden seed.
struct grading_plan {
  std::filesystem::path out;
  backend_kind backend = backend_kind::sim;
  sandbox::level sandbox_level = sandbox::level::none;
  std::uint64_t seed = 0;  ///< of the public cases: one for the class, so that equal kernels earn equal points
  std::uint64_t hidden_seed = 0;
  nlohmann::json rules = nlohmann::json::object();  ///< the document in the policy file
  std::vector<std::string> labs{};
  std::vector<grading_job> jobs{};
  /// By the lab's name: the cases, hidden ones too, and gates that its untouched starter passes. They give no points.
  std::map<std::string, std::vector<std::string>> free_cases{};
  /// By the lab's name: the sizes drawn for the class, at which the solution passes.
  std::map<std::string, std::vector<problem_size>> fresh_sizes{};
  std::string roster{};  ///< the text of the teacher's CSV file; empty if there is none

  std::filesystem::path folder() const { return out / ".grade"; }
  std::filesystem::path file() const { return folder() / "plan.json"; }
};

/// Adds one job per student and lab, and copies the sources.
void fill(grading_plan& plan, const std::vector<submission>& students);

void save(const grading_plan& plan);
/// @throws std::runtime_error if save() did not write the file
grading_plan load_plan(const std::filesystem::path& file);

/// The row of a job that did not run.
row row_without_run(const grading_plan& plan, const grading_policy& policy, const grading_job& job,
                    verdict_kind verdict, const std::string& message);

}  // namespace lab::grade
