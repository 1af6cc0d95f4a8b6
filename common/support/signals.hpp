#pragma once

#include <signal.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "support/process.hpp"

namespace lab {

/// Delivers signals through a descriptor while this object exists, instead of ending the program. Only one object may
/// exist at a time. Any thread may receive the signals, so libraries may start threads.
class signals {
 public:
  /// @throws std::system_error
  explicit signals(std::initializer_list<int> wanted);
  signals(const signals&) = delete;
  signals& operator=(const signals&) = delete;
  ~signals();

  int descriptor() const { return arrivals_.get(); }

  /// The number of the next signal that arrived, or 0. Does not block.
  int next();

  /// Restores the previous actions. A forked process calls it too; until then, a signal ends that process.
  void restore();

 private:
  lab::descriptor arrivals_, handler_end_;
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace lab
