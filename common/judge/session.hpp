#pragma once

#include <memory>

#include "judge/check.hpp"
#include "judge/test_case.hpp"

namespace lab::judge {

/// Runs test cases of some libraries, in one runner for as long as that lives.
class session {
 public:
  session(const run_options& options, std::vector<std::filesystem::path> libraries);

  /// Sets the time limit of the calls from now on, in seconds, in place of the options'.
  void limit(double timeout_s) { timeout_s_ = timeout_s; }

  /// Calls the launcher of a test case once in the given library. Never throws for what a kernel does.
  call_result call(const test_case& test, std::uint32_t library = 0, arguments* outputs = nullptr);

  /// Calls it twice on the same inputs, the poison apart; unless both calls agree, it is nondeterministic.
  call_result call_twice(const test_case& test, std::uint32_t library = 0);

  /// The runner, started if there is none. @throws runner_failure
  runner_process& runner();

  /// Gives the runner up, so that the next call starts a new one.
  void drop_runner() { runner_.reset(); }

 private:
  const run_options& options_;
  std::vector<std::filesystem::path> libraries_;
  std::unique_ptr<runner_process> runner_;
  double timeout_s_;
  unsigned calls_ = 0;
};

/// Whether no call after this one can say anything new: the runner ended, or never got as far as a call.
bool ends_the_launcher(verdict_kind verdict);

}  // namespace lab::judge
