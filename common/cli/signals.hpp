#pragma once

#include <signal.h>

#include <initializer_list>

#include "judge/process.hpp"

namespace lab::cli {

/// Signals that arrive as something to read instead of at any moment, as long as this object lives.
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

 private:
  judge::descriptor arrivals_;
  sigset_t before_{};
};

}  // namespace lab::cli
