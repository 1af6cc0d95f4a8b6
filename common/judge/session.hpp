#pragma once

#include <memory>

#include "judge/check.hpp"
#include "judge/trial.hpp"

namespace lab::judge {

/// Runs trials of some libraries, in one runner for as long as that lives.
class session {
 public:
  session(const options& o, std::vector<std::filesystem::path> libraries);

  /// Calls a trial's launcher once in the given library. Never throws for what a kernel does.
  finding call(const trial& t, std::uint32_t library = 0, arguments* outputs = nullptr);

  /// Calls it twice on the same inputs, the poison apart; unless both calls agree, it is nondeterministic.
  finding call_twice(const trial& t, std::uint32_t library = 0);

  /// The runner, started if there is none. @throws runner_failure
  runner_process& runner();

  /// Gives the runner up, so that the next call starts a new one.
  void drop_runner() { runner_.reset(); }

 private:
  const options& options_;
  std::vector<std::filesystem::path> libraries_;
  std::unique_ptr<runner_process> runner_;
  unsigned calls_ = 0;
};

/// Whether no call after this one can say anything new: the runner ended, or never got as far as a call.
bool ends_the_launcher(verdict v);

/// A seed from the system's source, small enough for a JSON number.
std::uint64_t fresh_seed();

}  // namespace lab::judge
