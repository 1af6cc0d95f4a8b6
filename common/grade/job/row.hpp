#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/verdict.hpp"

namespace lab::grade {

/// One case of a row, as a student may see it.
struct case_row {
  std::string name, message;
  verdict_kind verdict = verdict_kind::pass;
};

/// How fast a kernel was beside the lab's solution, both by one clock.
struct speed_row {
  std::string size;
  std::string clock = "host";  ///< "kernel": the device's work alone; "host": the whole launcher, by the judge's clock
  double ms = 0, solution_ms = 0;
  double floor_ms = 0;  ///< no device of this kind can do it faster; 0 if unknown
  double ratio = 0;     ///< solution's time over the student's, after the floor
  double points = 0, max_points = 0;
  bool too_short = false;  ///< to be told from what the pipeline takes: the ratio means nothing, and earns nothing
};

/// All that is known of one student's kernel for one lab.
struct row {
  std::string key;      ///< of the job: what was graded, and by which rules
  std::string student;  ///< as the folder or archive was called; text from outside
  std::string lab;
  verdict_kind verdict = verdict_kind::infra_error;
  double points = 0, max_points = 0;
  std::string message{};  ///< one line
  int sandbox_level = 0;
  double seconds = 0, build_seconds = 0;
  std::string file{}, backend{};
  std::vector<case_row> cases{};
  std::vector<case_row> advice{};  ///< what the tracer found where that gives no points
  int gates_passed = 0, gates_total = 0;
  int hidden_passed = 0, hidden_total = 0;
  std::uint64_t seed = 0;  ///< never on a page for students
  double late_days = 0, penalty = 0;
  std::vector<std::string> flags{};  ///< what a person should look at
  std::vector<speed_row> speed{};
};

nlohmann::json to_json(const row& r);
/// @throws nlohmann::json::exception for anything that to_json() does not write
row row_from(const nlohmann::json& j);

}  // namespace lab::grade
