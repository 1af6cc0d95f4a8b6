#pragma once

#include <filesystem>
#include <optional>

#include "protocol/runner_process.hpp"
#include "support/temporary_folder.hpp"
#include "trace/profile.hpp"

namespace lab::judge {

/// NVIDIA's profiler Nsight Compute from LAB_NCU, PATH, /usr/local/cuda/bin or /opt/nvidia; empty if there is none.
std::filesystem::path ncu();

/// What the profiler counts: the accesses of each source line, how busy the GPU's units were and what warps waited for,
/// or only how long each kernel took.
enum class ncu_counts { lines, limits, time };

/// Starts a program under the profiler, with its counts in `report`.
std::vector<std::string> ncu_command(const std::filesystem::path& report, ncu_counts what);

/// The launches on the page "raw" as CSV, in order, each with its metrics under the profiler's names.
/// @throws std::runtime_error if it is no such page
std::vector<launch> parse_ncu_launches(const std::string& raw);

/// What the profiler's pages "raw" and "source" (view cuda,sass) say as CSV, in the simulator's form: launches in
/// order, for each line of the source what its machine instructions did. Requests are executed warp instructions, also
/// those predicated off for all lanes, and conflicts the wavefronts beyond the ideal. @throws std::runtime_error naming
/// what is missing
trace_report parse_ncu(const std::string& raw, const std::string& source);

/// Profiles one call of a launcher on the GPU. @throws runner_failure where the machine does not let it
profile ncu_profile(const launcher_spec& launcher, const problem_size& size, const profile_options& options,
                    const std::filesystem::path& library);

/// A runner under the profiler, which times what the runner does for the command `profiled`.
class runner_under_ncu {
 public:
  /// @throws runner_failure
  runner_under_ncu(const run_options& options, const std::filesystem::path& library);

  runner_process& runner() { return *runner_; }

  /// Ends the runner. The milliseconds of each kernel, in order. @throws runner_failure where the machine does not let
  /// it
  std::vector<double> finish();

 private:
  temporary_folder folder_{"ncu"};
  std::filesystem::path report_;
  std::optional<runner_process> runner_;
};

}  // namespace lab::judge
