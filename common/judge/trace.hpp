#pragma once

#include <filesystem>

#include "judge/check.hpp"
#include "judge/trace_report.hpp"

namespace lab::judge {

/// What one traced call of a launcher came to: its report, or why there is none.
struct traced {
  judge::verdict verdict = judge::verdict::infra_error;  ///< pass also when the report tells of hazards
  std::string detail{};
  bool reported = false;
  trace_report report{};
};

/// Calls a launcher once on the simulator, in a process of its own, with every access seen. Arrays have no guard zones
/// and outputs no values, so that the tracer finds every stray access and every read of what nobody wrote. Never throws
/// for what a kernel does. @param library a traced build of the kernel
traced trace(const contract& c, const size& s, std::uint64_t seed, const std::filesystem::path& library,
             double timeout_s, const confinement& confine = {});

}  // namespace lab::judge
