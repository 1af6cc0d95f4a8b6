#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "model/call_counts.hpp"
#include "model/call_inputs.hpp"

namespace lab::judge {

/// Counts what the launchers of one kernel do, or takes the counts that the cache keeps. It compiles the kernel at most
/// once for all launchers and sizes. Several threads may use it at the same time.
class kernel_counter {
 public:
  /// Several counters may share the inputs.
  kernel_counter(entry lab, std::filesystem::path source, run_options options,
                 std::shared_ptr<call_inputs> inputs = std::make_shared<call_inputs>());
  kernel_counter(const kernel_counter&) = delete;
  ~kernel_counter();

  const std::filesystem::path& source() const;
  const run_options& options() const;

  /// The counts of one call, or why there are none.
  struct result {
    std::string problem{};
    call_counts counts{};
  };
  result count(const launcher_spec& launcher, const problem_size& size);

  /// No step begins any more: each count() ends soon, with a problem.
  void stop();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lab::judge
