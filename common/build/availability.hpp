#pragma once

#include <string>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"

namespace lab::judge {

/// Whether kernels can be built and run here, and if not, why not and what to do about it.
struct availability {
  bool usable = false;
  std::string reason{};
  int capability = 0;  ///< ten times the GPU's compute capability, 90 for 9.0; 0 on the simulator
};
availability probe(backend_kind backend);

/// `cuda` where a usable GPU, nvcc and the GPU runner are there, else `sim`. The answer is cached for this process.
backend_kind default_backend();

/// Why this lab cannot run here at all, empty if it can: not on this back end, or not on so old a GPU.
/// @throws runner_failure
std::string why_not_here(const entry& lab, const run_options& options);

}  // namespace lab::judge
