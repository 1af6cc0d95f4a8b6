#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>

namespace lab {

/// A process that its parent has just started is counted from its own begin: the parent may have got no core since.
enum class counted_from { now, begin_of_process };

/// How long a process or its descendants have been ready to run without a core to run on, since this object was made:
/// on a busy machine this time says nothing about the process. Of all threads, the one that waited longest counts. Zero
/// where the kernel does not say (/proc/PID/task/TID/schedstat).
class starvation {
 public:
  explicit starvation(pid_t process, counted_from from = counted_from::now)
      : process_{process}, first_{from == counted_from::now} {
    look();
  }

  /// To be called often: the kernel counts a wait when it ends, so one that lasts is seen only from look to look.
  void look();
  double seconds() const;

  /// How long, since this object was made, none of these processes had a core: they waited for one or slept.
  double not_run_s() const;

  /// Whether any of these processes ran, waited, began or ended between the last two looks.
  bool changed() const { return changed_; }

  /// What all these processes ran on all cores since this object was made.
  double cpu_s() const { return ran_ - ran_before_; }

 private:
  using clock = std::chrono::steady_clock;
  struct thread_state {
    double before = 0;           // what it had waited when this object was made, in seconds
    double ran = 0, waited = 0;  // in seconds
    clock::time_point since{};   // of the last change of these, or look at which it was not runnable
    bool runnable = false;
    double longest_wait() const;
  };

  void look_at(pid_t process, int depth, double& ran);

  pid_t process_;
  bool first_;
  bool changed_ = true;
  std::size_t alive_ = 0;  // threads, at the last look
  clock::time_point begin_ = clock::now();
  double ran_before_ = 0, ran_ = 0;  // all of them together, in seconds
  std::map<int, thread_state> threads_;
};

/// How long a thread of this process has been ready to run without a core, in seconds since it began. What it waited
/// during a counted_starvation is left out: then it had nothing to do.
double without_a_core_s(pid_t thread);

/// How much of what a process waited for a core does not count against its time limit: a process with many threads
/// could make itself wait, so the patience ends at 30 times the limit.
inline double excused_s(double waited_s, double limit_s) { return std::min(waited_s, 30 * limit_s); }

/// Starvation while this process waits for another one, or has itself no core to look at it. The time adds to a total
/// over all such waits; of several waits at once, each adds its share.
class counted_starvation {
 public:
  explicit counted_starvation(pid_t process, counted_from from = counted_from::now);
  counted_starvation(const counted_starvation&) = delete;
  counted_starvation& operator=(const counted_starvation&) = delete;
  ~counted_starvation();

  /// What this thread waited for a core since the last look counts only if the processes changed meanwhile: it missed
  /// nothing of a process that slept.
  void look();
  double seconds() const;
  double cpu_s() const { return own_.cpu_s(); }

  /// Seconds, since this process began.
  static double of_all_waits();

 private:
  void add();

  starvation own_;
  pid_t thread_;
  double before_;
  double looked_ = before_;  // what the thread had waited at the last look
  double blind_ = 0;         // what it waited between looks that found a change
  double added_ = 0;
};

}  // namespace lab
