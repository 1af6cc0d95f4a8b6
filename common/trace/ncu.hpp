#pragma once

#include <filesystem>

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

/// The milliseconds of each kernel that a runner launches for what `ask` asks of it, with cold caches; no kernels if it
/// fails. @throws runner_failure where the machine does not let it
std::vector<double> ncu_times(const run_options& options, const std::filesystem::path& library,
                              const std::function<verdict_kind(runner_process&)>& ask);

}  // namespace lab::judge
