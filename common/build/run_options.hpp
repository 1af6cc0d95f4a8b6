#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/size.hpp"
#include "protocol/runner_process.hpp"

namespace lab::judge {

/// How kernels are built and run, whatever for.
struct run_options {
  backend_kind backend = backend_kind::sim;
  std::optional<std::uint64_t> seed;  ///< drawn from the system if not given, and always reported
  double timeout_s = 10;              ///< for one case
  int device = 0;
  double build_timeout_s = 60;
  std::size_t memory_bytes = 8ull << 30;                  ///< of host memory, beyond which a runner is ended
  confinement confine{};                                  ///< for compilers and runners
  std::vector<problem_size> sizes;                        ///< instead of the lab's own
  std::function<void(const std::string& what)> progress;  ///< called when a step begins
};

/// A runner for these libraries under these options.
inline runner_options runner_options_of(const run_options& options, std::vector<std::filesystem::path> libraries) {
  return {.backend = options.backend,
          .device = options.device,
          .libraries = std::move(libraries),
          .memory_bytes = options.memory_bytes,
          .confine = options.confine};
}

}  // namespace lab::judge
