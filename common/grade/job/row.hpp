#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/verdict.hpp"

namespace lab::grade {

/// One case of a row, as a student may see it.
struct case_row {
  std::string name, message;
  verdict_kind verdict = verdict_kind::pass;
  bool free = false;    ///< the untouched starter passes it: no points for a pass
  bool traced = false;  ///< a hazard or a gate, found while the simulator watched every access
  std::string diagnosis{"none"};
};

/// One gate of the lab. A kernel with wrong values passes none, because its traffic means nothing.
struct gate_row {
  std::string launcher, name;
  bool passed = false;
  bool free = false;  ///< the untouched starter passes it, too
};

/// The times of a kernel and of the lab's solution, measured by the same clock.
struct speed_row {
  std::string size;
  std::string clock = "host";  ///< "kernel": the GPU's work alone; "host": the whole launcher
  double ms = 0, solution_ms = 0;
  double floor_ms = 0;  ///< the hardware's limit; 0 if unknown
  double ratio = 0;     ///< solution's time over the student's, which is at least floor_ms
  double points = 0, max_points = 0;
  bool too_short = false;  ///< mostly overhead: the ratio means nothing and earns nothing
  bool extra = false;      ///< extra credit
};

/// One stage of a lab that has stages.
struct stage_row {
  int number = 1;
  std::string title;
  verdict_kind verdict = verdict_kind::pass;
};

/// What the simulator counted for a gate: the less, the better.
struct traffic_row {
  std::string metric, size;
  double value = 0;
};

/// The result of one student's kernel for one lab.
struct row {
  std::string key;      ///< the job's key
  std::string student;  ///< the folder's or archive's name; untrusted text
  std::string lab;
  verdict_kind verdict = verdict_kind::infra_error;
  double points = 0, max_points = 0;
  std::string message{};  ///< one line
  int sandbox_level = 0;
  double seconds = 0, build_seconds = 0;
  std::string file{}, backend{};
  std::vector<case_row> cases{};
  std::vector<case_row> advice{};  ///< the tracer's cases if they give no points
  std::vector<stage_row> stages{};
  std::vector<gate_row> gates{};
  std::string gates_count{"points"};  ///< the policy's word for what gates cost
  int gates_passed = 0, gates_total = 0;
  int hidden_passed = 0, hidden_total = 0;
  std::vector<std::string> hidden_failures{};  ///< sizes, verdicts and seeds; never shown to students
  std::uint64_t seed = 0;                      ///< never shown to students
  double late_days = 0, penalty = 0;
  bool timed_out = false;            ///< some case took too long
  std::vector<std::string> flags{};  ///< for the teacher to look at
  std::vector<speed_row> speed{};
  double extra = 0;                    ///< points beyond `points`, for speed
  double max_extra = 0;                ///< 0: there is no extra credit to earn
  std::string source{}, policy{};      ///< fingerprints of the kernel's text and of the lab's rules
  std::vector<traffic_row> traffic{};  ///< of the gates that limit a count, in the lab's order
};

/// The diagnosis of the first case that did not pass; "none" if there is none. Hidden cases have no diagnosis here.
std::string diagnosis_of(const row& graded);

/// With the extra credit.
inline double all_points(const row& graded) { return graded.points + graded.extra; }

nlohmann::json to_json(const row& graded);
/// @throws nlohmann::json::exception if to_json() did not write the document
row row_from(const nlohmann::json& document);

}  // namespace lab::grade
