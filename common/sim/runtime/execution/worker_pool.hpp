#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace lab::sim {

/// OS threads that sleep until there is a grid to run. The launching thread works too.
class worker_pool {
 public:
  /// Starts as many helpers as the system allows.
  explicit worker_pool(unsigned helpers);

  /// All threads, with the caller.
  unsigned size() const { return helpers_ + 1; }
  /// Calls `part` on every thread and returns when all calls have returned. `part` takes work until none is left, so
  /// threads that have not woken up when a call returns are left out: on a busy machine, waking up can take longer
  /// than the work. Each thread wakes two more: a small grid on a machine of many cores wakes few.
  void run(const std::function<void()>& part);

 private:
  void serve();

  std::mutex guard_;
  std::condition_variable wake_, done_;
  const std::function<void()>* part_ = nullptr;
  unsigned wanted_ = 0;  // helpers that may still join
  unsigned busy_ = 0, helpers_ = 0;
};

/// The pool of this process: LAB_SIM_THREADS threads, by default one for each core.
worker_pool& workers();

}  // namespace lab::sim
