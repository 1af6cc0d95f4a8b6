#pragma once

#include <filesystem>
#include <string>

namespace lab::judge {

enum class backend { sim, cuda };

std::string_view word(backend b);

/// Whether kernels can be built and run here, and if not, why not and what to do about it.
struct availability {
  bool usable = false;
  std::string reason{};
  int capability = 0;  ///< ten times the GPU's compute capability, 90 for 9.0; 0 on the simulator
};
availability probe(backend b);

/// `cuda` where a usable GPU, nvcc and the GPU runner are there, else `sim`. The answer is cached for this process.
backend default_backend();

/// Folders of this installation, from LAB_ROOT and LAB_BUILD in the environment or else as configured.
struct installation {
  std::filesystem::path root;   ///< labs/, solutions/, report/
  std::filesystem::path build;  ///< bin/, lib/, and the cache of built kernels
};
const installation& here();

}  // namespace lab::judge
