#pragma once

#include <filesystem>

#include "lab/launcher_spec.hpp"
#include "lab/verdict.hpp"
#include "protocol/confinement.hpp"
#include "protocol/launcher_call.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// What one traced call of a launcher came to: its report, or why there is none.
struct traced_call {
  verdict_kind verdict = verdict_kind::infra_error;  ///< pass also when the report tells of hazards
  std::string detail{};
  bool reported = false;
  trace_report report{};
  arguments given{};    ///< the inputs of the call
  arguments outputs{};  ///< all arguments as the launcher left them; empty if it did not return
};

/// How a launcher is called for a trace.
struct trace_options {
  std::uint64_t seed = 0;           ///< of the inputs
  std::filesystem::path library{};  ///< a traced build of the kernel
  double timeout_s = 10;
  confinement confine{};
  unsigned schedule = 0;      ///< which legal order of blocks and warps
  double kernel_limit_s = 0;  ///< a kernel that takes longer ends with the hazard `hang`; 0: no limit
  double sample = 0;          ///< the fraction of each grid's blocks that runs; 0: all
  /// At most so many blocks of each launch run, even if they are alike.
  std::vector<std::uint64_t> sampled_blocks{};
  bool only_coverage = false;  ///< the report names the places that ran, but counts no traffic and finds no races
};

/// Calls a launcher once on the simulator, in a process of its own, with every access seen. Arrays have no guard zones
/// and outputs no values, so that the tracer finds every stray access and every read of unwritten memory. Never throws
/// for what a kernel does.
traced_call trace(const launcher_spec& launcher, const problem_size& size, const trace_options& options);

/// The same, with one call at each size, in this order and in one process. Inputs and outputs are those of the last
/// call.
traced_call trace_in_turn(const launcher_spec& launcher, const std::vector<problem_size>& sizes,
                          const trace_options& options);

/// The same with arrays that are ready, which other runners may read, too. Its outputs are not kept.
traced_call trace(const launcher_spec& launcher, const discarded_arrays& arrays, const trace_options& options);

/// About how many memory accesses one call at this size makes.
double estimated_accesses(const launcher_spec& launcher, const problem_size& size);

/// Adds what another schedule of the same call found: hazards that are new, each saying in which schedule, and, where
/// outputs that rounding cannot change differ, a hazard `schedule_dependent`.
void add_schedule(traced_call& call, const traced_call& other, const launcher_spec& launcher, unsigned schedule);

/// Whether two hazards are of one kind at one place.
bool same_place(const hazard& one, const hazard& other);

}  // namespace lab::judge
