#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/size.hpp"
#include "protocol/runner_process.hpp"

namespace lab::judge {

/// Options for building and running kernels, common to all commands.
struct run_options {
  backend_kind backend = backend_kind::sim;
  std::optional<std::uint64_t> seed;  ///< random if not given; always reported
  double timeout_s = 10;              ///< for one case
  int device = 0;
  double build_timeout_s = 60;                            ///< solutions have 600 s at least
  std::size_t memory_bytes = 8ull << 30;                  ///< a runner's limit of host memory
  confinement confine{};                                  ///< of compilers and runners
  bool countable = false;                                 ///< refuse code that could hide accesses from the tracer
  std::vector<problem_size> sizes;                        ///< in place of the lab's own
  std::function<void(const std::string& what)> progress;  ///< called when a step begins
};

/// Options of a runner for these libraries.
inline runner_options runner_options_of(const run_options& options, std::vector<std::filesystem::path> libraries) {
  return {.backend = options.backend,
          .device = options.device,
          .libraries = std::move(libraries),
          .memory_bytes = options.memory_bytes,
          .confine = options.confine};
}

}  // namespace lab::judge
