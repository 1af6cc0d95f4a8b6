#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/size.hpp"

namespace lab::grade {

/// Points for speed: none up to `zero_at`, all from `full_at`, in between in proportion; both are the ratio of the
/// solution's time to the student's.
struct speed_rule {
  std::string launcher;  ///< empty for the lab's first
  problem_size size;
  double points = 0, zero_at = 0.5, full_at = 0.95;
};

/// Whether the simulator's counters give points. They lie in the memory of the student's process.
enum class gate_use { advisory, points };

/// What takes the time for points: the device's work alone where that can be had, or always the whole launcher.
enum class speed_clock { kernel, host };
std::string_view word(speed_clock c);

struct lab_policy {
  double points = 10;                  ///< for right answers
  bool partial = true;                 ///< in proportion to the cases that pass; else all or nothing
  std::vector<problem_size> hidden{};  ///< sizes of cases that students never see
  double gate_points = 0;              ///< on top, in proportion to the gates that pass
  std::vector<speed_rule> speed{};
};

struct late_policy {
  std::time_t deadline = 0;  ///< 0: there is none
  double grace_minutes = 0, percent_per_day = 10, most_percent = 50;
  std::map<std::string, std::time_t> times{};  ///< of students; else their files' times count
};

struct policy {
  lab_policy standard{};
  std::map<std::string, lab_policy> labs{};  ///< by the lab's name
  late_policy late{};
  gate_use gates = gate_use::advisory;
  speed_clock clock = speed_clock::kernel;
  std::optional<std::uint64_t> hidden_seed;
  double case_seconds = 10, build_seconds = 60, job_seconds = 600;
  std::size_t memory_mib = 4096;

  const lab_policy& of(const std::string& lab) const;
};

/// Reads a policy file's document. @throws usage_error naming the key, what is wrong with it and what may stand there
policy policy_from(const nlohmann::json& document);

/// Days late, begun days counting whole, and the percentage that this takes away.
struct lateness {
  double days = 0, percent = 0;
};
lateness lateness_of(const late_policy& p, const std::string& student, std::time_t handed_in);

/// Seconds since 1970 of "2026-11-21T23:59:00Z". @throws usage_error
std::time_t time_from(const std::string& text);

}  // namespace lab::grade
