#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "model/call_counts.hpp"
#include "model/call_inputs.hpp"

namespace lab::judge {

/// Counts what the launchers of one kernel do, or takes the counts that the cache keeps. It compiles the kernel once
/// for all launchers and sizes, and again with the counts of those that share them.
class kernel_counter {
 public:
  /// Several counters may share the inputs.
  kernel_counter(entry lab, std::filesystem::path source, run_options options,
                 std::shared_ptr<call_inputs> inputs = std::make_shared<call_inputs>());
  kernel_counter(const kernel_counter&) = delete;
  ~kernel_counter();

  const entry& lab() const;
  const std::filesystem::path& source() const;
  const run_options& options() const;

  struct call {
    launcher_spec launcher;
    problem_size size;
  };
  /// The counts of one call, or why there are none.
  struct result {
    std::string problem{};
    call_counts counts{};
  };
  std::vector<result> count(const std::vector<call>& calls);

  /// No step begins any more: count() ends soon, with problems.
  void stop();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lab::judge
