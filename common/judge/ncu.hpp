#pragma once

#include <filesystem>

#include "judge/profile.hpp"

namespace lab::judge {

/// NVIDIA's profiler Nsight Compute from LAB_NCU, PATH, /usr/local/cuda/bin or /opt/nvidia; empty if there is none.
std::filesystem::path ncu();

/// Starts a program under the profiler, counting what design's table needs into `report`.
std::vector<std::string> ncu_command(const std::filesystem::path& report);

/// What the profiler's pages "raw" and "source" (view cuda,sass) say as CSV, in the simulator's form: launches in
/// order, for each line of the source what its machine instructions did. Requests are executed warp instructions, and
/// conflicts the wavefronts beyond the ideal. @throws std::runtime_error naming what is missing
trace_report parse_ncu(const std::string& raw, const std::string& source);

/// Profiles one call of a launcher on the GPU. @throws runner_failure where the machine does not let it
profile ncu_profile(const contract& c, const size& s, const options& o, const std::filesystem::path& library);

}  // namespace lab::judge
