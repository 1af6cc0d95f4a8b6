#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab::grade {

/// Points for speed. The ratio is the solution's time over the student's. A ratio up to `zero_at` earns no points, from
/// `full_at` all points, and points grow linearly in between.
struct speed_rule {
  std::string launcher;  ///< empty for the lab's first launcher that takes the size
  problem_size size;
  double points = 0, zero_at = 0.5, full_at = 0.95;
  bool extra = false;  ///< extra credit: shown apart, and no part of the most points
};

/// What a missed gate or a hazard costs: a share of the points, all of them, or nothing.
enum class gate_use { points, required, advisory };
std::string_view word(gate_use use);

/// What Gradescope's leaderboard ranks.
enum class leaderboard_kind { none, traffic, speed };

/// The shares of a lab's points for its groups of cases. The share of a group that a lab lacks goes to the values and
/// the hidden cases.
struct case_weights {
  double values = 25, hidden = 25, gates = 50, speed = 0;
};

struct late_policy {
  std::time_t deadline = 0;  ///< 0: no deadline
  double grace_minutes = 0, percent_per_day = 10, most_percent = 50;
  std::map<std::string, std::time_t> times{};  ///< by student; without one the file's time counts
};

/// The clock for speed points: the GPU's work alone if it can be recorded, or always the whole launcher.
enum class speed_clock { kernel, host };
std::string_view word(speed_clock clock);

struct lab_policy {
  double points = 10;   ///< for all groups of cases
  bool partial = true;  ///< in proportion to the passed cases; else all or nothing
  case_weights weights{};
  gate_use gates = gate_use::points;
  std::vector<problem_size> hidden{};  ///< sizes of the hidden cases
  unsigned fresh = 2;                  ///< how many more sizes of hidden cases are drawn
  double gate_points = 0;              ///< additional, in proportion to the passed gates, which have no share then
  std::vector<speed_rule> speed{};
  double most_extra = 1e6;  ///< the most points of extra credit
  late_policy late{};
};

struct grading_policy {
  lab_policy standard{};                     ///< for labs that have none of their own
  std::map<std::string, lab_policy> labs{};  ///< by the lab's name
  speed_clock clock = speed_clock::kernel;
  leaderboard_kind leaderboard = leaderboard_kind::none;
  std::optional<std::uint64_t> seed, hidden_seed;
  double case_seconds = 10, build_seconds = 60, job_seconds = 600;
  std::size_t memory_mib = 4096;

  const lab_policy& of(const std::string& lab) const;
};

/// How gates count in these labs, in a sentence for each way.
std::string gates_in_words(const grading_policy& policy, const std::vector<std::string>& labs);

/// Reads a policy file's document. `text` is the file's, so that a mistake has a line. Sizes and launchers of "default"
/// count for the labs that they fit. @throws usage_error with all mistakes: the line, the key and the allowed values
grading_policy policy_from(const nlohmann::json& document, const std::string& file = "policy",
                           const std::string& text = {});

/// The launcher that a speed rule times: the named one, or the first that takes the size. Null if there is none.
const launcher_spec* launcher_for(const entry& lab, const problem_size& size, const std::string& name);

/// "2026-11-21T23:59:00Z" in seconds since 1970; nothing if it is no such time.
std::optional<std::time_t> time_from(const std::string& text);

}  // namespace lab::grade
