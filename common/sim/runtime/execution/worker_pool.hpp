#pragma once

#include <condition_variable>
#include <cstdint>
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
  /// Calls `part` on every thread and returns when all calls have returned. A thread that has not woken up when the
  /// caller is through is left out: on a busy machine, that can take longer than the work.
  void run(const std::function<void()>& part);

 private:
  void serve();

  std::mutex guard_;
  std::condition_variable wake_, done_;
  const std::function<void()>* part_ = nullptr;  // null when no thread may join any more
  std::uint64_t round_ = 0;
  unsigned busy_ = 0, helpers_ = 0;
};

/// The pool of this process: LAB_SIM_THREADS threads, by default one for each core.
worker_pool& workers();

}  // namespace lab::sim
