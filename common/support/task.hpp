#pragma once

#include <functional>
#include <optional>

#include "support/process.hpp"

namespace lab {

/// A function that runs in a forked process, so that it can be cancelled at any moment. The destructor ends the process
/// and all processes that it started.
class task {
 public:
  /// @param function returns the exit code @throws std::system_error
  explicit task(const std::function<int()>& function);
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  ~task();

  /// Becomes readable when the process has ended.
  int descriptor() const { return exit_.get(); }

  /// The exit code after the process has ended; 128 plus the signal's number if a signal ended it. Does not block.
  std::optional<int> ended();

 private:
  pid_t id_ = -1;
  lab::descriptor exit_;
};

}  // namespace lab
