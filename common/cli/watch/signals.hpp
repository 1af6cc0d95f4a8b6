#pragma once

#include <signal.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "support/process.hpp"

namespace lab::cli {

/// Signals that arrive as something to read instead of ending this program, as long as this object lives; one object at
/// a time. Whichever thread gets them, so libraries may have threads of their own.
class signals {
 public:
  /// @throws std::system_error
  explicit signals(std::initializer_list<int> wanted);
  signals(const signals&) = delete;
  signals& operator=(const signals&) = delete;
  ~signals();

  int descriptor() const { return arrivals_.get(); }

  /// The number of the next signal that has arrived, 0 if none has; never waits.
  int next();

  /// Gives the signals back what they did before; also for a copy of this process, in which they end it until then.
  void restore();

 private:
  lab::descriptor arrivals_, handler_end_;
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace lab::cli
