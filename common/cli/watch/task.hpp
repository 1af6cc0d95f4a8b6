#pragma once

#include <functional>
#include <optional>

#include "support/process.hpp"

namespace lab::cli {

/// Work that a second process of this program does, so that it can be dropped at any moment. It ends with this object,
/// and so does all that it started.
class task {
 public:
  /// @param work returns the exit code @throws std::system_error
  explicit task(const std::function<int()>& work);
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  ~task();

  /// Ready to read when the work has ended.
  int descriptor() const { return exit_.get(); }

  /// The exit code once it has ended, 128 and the signal's number if a signal ended it; never waits.
  std::optional<int> ended();

 private:
  pid_t id_ = -1;
  lab::descriptor exit_;
};

}  // namespace lab::cli
