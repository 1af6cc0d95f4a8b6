#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>

namespace lab {

/// How long a process has been ready to run without a core to run on, since this object was made: on a busy machine
/// this time says nothing about the process. Of its threads, the one that waited longest counts. Zero where the kernel
/// does not say (/proc/PID/task/TID/schedstat).
class starvation {
 public:
  explicit starvation(pid_t process) : process_{process} { look(); }

  /// To be called often: the kernel counts a wait when it ends, so one that lasts is seen only from look to look.
  void look();
  double seconds() const;

 private:
  using clock = std::chrono::steady_clock;
  struct thread_state {
    double before = 0;           // what it had waited when this object was made, in seconds
    double ran = 0, waited = 0;  // in seconds
    clock::time_point since{};   // of the last change of these
    bool runnable = false;
    double longest_wait() const;
  };

  pid_t process_;
  bool first_ = true;
  std::map<int, thread_state> threads_;
};

}  // namespace lab
