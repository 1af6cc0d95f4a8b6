#pragma once

#include <string>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"

namespace lab::judge {

/// Whether kernels can be built and run on this machine; if not, the reason and the remedy.
struct availability {
  bool usable = false;
  std::string reason{};
  int capability = 0;  ///< ten times the GPU's compute capability, 90 for 9.0; 0 on the simulator
};
availability probe(backend_kind backend);

/// `cuda` if this machine has a usable GPU, nvcc and the GPU's runner; otherwise `sim`. Cached for this process.
backend_kind default_backend();

/// Why this lab cannot run on this back end or this GPU; empty if it can.
/// @throws runner_failure
std::string why_not_here(const entry& lab, const run_options& options);

}  // namespace lab::judge
