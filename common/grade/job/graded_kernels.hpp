#pragma once

#include <optional>

#include "build/build.hpp"
#include "build/run_options.hpp"
#include "grade/job/graded_speed.hpp"

namespace lab::grade {

/// What is timed: a launcher of a lab at one size, `repeats` times on fresh inputs.
struct race_course {
  const entry& lab;
  const launcher_spec& launcher;
  const problem_size& size;
  const std::filesystem::path& source;  ///< the student's
  int repeats;
};

/// Times without any host code of the student in the process that takes them, or why there are none.
struct kernel_race {
  std::optional<times> found{};
  std::string why_not{};  ///< words of an untrusted process may be among these
  bool forged = false;
};
kernel_race race_kernels(const race_course& c, const judge::build_result& solution, const judge::build_result& student,
                         const judge::run_options& o);

/// What follows from a race: its times count, or the whole launchers are timed, or a forger gets nothing. Says in
/// `flags` why, if the times do not count.
enum class fallback { none, launchers, no_points };
fallback after(const kernel_race& race, const std::string& size, std::vector<std::string>& flags);

}  // namespace lab::grade
