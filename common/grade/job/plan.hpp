#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grade/collect/collect.hpp"
#include "grade/job/policy.hpp"
#include "grade/job/row.hpp"

namespace lab::grade {

/// One student's kernel for one lab. What one worker process grades.
struct job {
  std::string key;  ///< of the text, the rules and everything else that decides the verdict
  std::string student, lab, file;
  std::filesystem::path source{};  ///< a copy in the plan's folder; empty if there is trouble
  std::string trouble{};           ///< why there is nothing to grade
  std::time_t time = 0;
};

/// Everything that the worker processes need, as written to OUT/.grade/plan.json; a secret of the grader.
struct plan {
  std::filesystem::path out;
  backend_kind backend = backend_kind::sim;
  level sandbox = level::none;
  std::uint64_t hidden_seed = 0;
  nlohmann::json rules = nlohmann::json::object();  ///< the policy file as it was read
  std::vector<std::string> labs{};
  std::vector<job> jobs{};

  std::filesystem::path folder() const { return out / ".grade"; }
  std::filesystem::path file() const { return folder() / "plan.json"; }
};

/// Makes the jobs, one per student and lab, and copies the sources that will be built.
void fill(plan& p, const std::vector<submission>& students);

void save(const plan& p);
/// @throws std::runtime_error if the file is not one that save() wrote
plan load_plan(const std::filesystem::path& file);

/// The row of a job that nothing was run for.
row row_without_run(const plan& p, const policy& rules, const job& j, verdict_kind v, const std::string& message);

}  // namespace lab::grade
