#pragma once

#include <functional>

#include "grade/job/plan.hpp"

namespace lab::grade {

enum class executor { local, slurm };

struct request {
  std::filesystem::path submissions, out;
  std::vector<std::string> labs{};  ///< names; empty for all
  nlohmann::json rules = nlohmann::json::object();
  backend_kind backend = backend_kind::sim;
  level sandbox = level::none;
  grade::executor executor = executor::local;
  unsigned jobs = 0;    ///< at a time; 0 for as many as this machine has cores, or GPUs
  bool resume = false;  ///< go on with what `out` holds
  std::function<void(const std::string& what)> progress{};
};

/// Grades a class: one row for every student and lab, whatever happens; writes the reports. Rows that a fault of the
/// machine left without a verdict are tried a second time. @throws usage_error, std::runtime_error
std::vector<row> grade_class(const request& r);

/// What the collecting job of a cluster does: takes in what array tasks left and writes the reports, unless the grader
/// that submitted them is still at work.
void collect_class(const std::filesystem::path& plan_file);

/// The rows that are known of a plan's jobs, in their order; infra_error for the others.
std::vector<row> rows_of(const plan& p, const policy& rules, const std::map<std::string, row>& known);

}  // namespace lab::grade
