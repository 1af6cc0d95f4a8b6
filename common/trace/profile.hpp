#pragma once

#include "build/kernel_variant.hpp"
#include "build/run_options.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// One call of one launcher of a kernel, counted line by line.
struct profile {
  std::string launcher{}, size{};
  verdict_kind verdict = verdict_kind::pass;  ///< pass if there is a report, whatever it says
  std::string message{};                      ///< why there is none; several lines
  trace_report report{};
};

struct profile_options : run_options {
  bool limits = false;  ///< on a GPU: how busy its units were, not what each line did
};

struct profile_result {
  std::string lab{}, variant{};
  backend_kind backend = backend_kind::sim;
  std::vector<profile> profiles{};  ///< for each launcher, for each size
};

/// Counts a kernel's memory traffic: on the simulator by tracing it, on a GPU with Nsight Compute. Takes
/// options.sizes, or the size of the lab's gates. With options.limits launches have no lines. Never throws for what a
/// kernel does. @throws runner_failure if Nsight Compute is missing
profile_result profile_kernel(const entry& lab, const kernel_variant& which, const profile_options& options);

/// Compiles a whole program for the simulator, runs it in as many orders of blocks and warps, and counts all its
/// launches.
profile_result profile_program(const std::filesystem::path& source, double timeout_s, unsigned schedules = 1);

/// For each launch of a profile made with profile_options::limits the GPU's busiest units and what its warps waited
/// for.
std::string limits_text(const profile& counted);

/// {"schema":1,"lab":...,"launches":[...],"hazards":[...]}, launches in order.
nlohmann::json to_json(const profile_result& result);

}  // namespace lab::judge
