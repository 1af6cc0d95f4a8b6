#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/counts.hpp"
#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

struct kernel_to_trace {
  std::string name;
  std::filesystem::path source;
  const entry& lab;
};

/// The counts of several kernels, or why the first has none.
struct counted_kernels {
  verdict_kind verdict = verdict_kind::pass;
  std::string detail{};
  std::vector<kernel_counts> counted{};  ///< without rivals that launched no kernel, such as a copy
};

/// Kernels of one launcher, built for the simulator with tracing.
class traced_kernels {
 public:
  traced_kernels() = default;
  traced_kernels(const std::vector<kernel_to_trace>& kernels, const run_options& options);

  /// Traces one call of each of these kernels, which are numbered as they were given.
  counted_kernels count(const launcher_spec& launcher, const problem_size& size,
                        const std::vector<std::uint32_t>& numbers, std::uint64_t seed) const;

 private:
  struct built {
    std::string name;
    std::filesystem::path library;  // empty if the build failed
  };
  std::vector<built> built_;
  run_options options_{};
};

}  // namespace lab::judge
