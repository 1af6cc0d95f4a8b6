#pragma once

#include <optional>

#include "build/build_request.hpp"
#include "build/run_options.hpp"
#include "grade/job/graded_speed.hpp"

namespace lab::grade {

/// A launcher of a lab at one size. The student's kernel is timed `repeats` times, each time on fresh inputs.
struct timed_launcher {
  const entry& lab;
  const launcher_spec& launcher;
  const problem_size& size;
  const std::filesystem::path& source;  ///< the student's
  int repeats;
};

/// Times from a process that runs no host code of the student, or the reason why there are none.
struct kernel_times {
  std::optional<measured_times> times{};
  std::string why_not{};  ///< may contain text of an untrusted process
  bool forged = false;
};
kernel_times time_kernels(const timed_launcher& timed, const judge::build_result& solution,
                          const judge::build_result& student, const judge::run_options& options);

/// The next step after timing the kernels: none because their times count, timing the whole launchers, or no points
/// because the record was forged. Adds the reason to `flags` if the times do not count.
enum class timing_fallback { none, launchers, no_points };
timing_fallback fallback_after(const kernel_times& kernels, const std::string& size, std::vector<std::string>& flags);

}  // namespace lab::grade
