#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "support/starvation.hpp"

namespace lab {

/// The time that a check may take. Time in which this process, a compiler or a runner is ready to run and has no core
/// does not count, because a busy machine is no fault of the kernel's. Nor does what is excused.
class time_budget {
 public:
  explicit time_budget(double seconds) : seconds_{seconds} {}

  /// By the clock on the wall.
  double passed() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }

  /// What counts.
  double spent() const { return passed() - excused_s(starved(), seconds_) - excused_; }
  double left() const { return std::max(0.0, seconds_ - spent()); }
  bool over() const { return left() == 0; }
  double seconds() const { return seconds_; }

  /// Does `work`, which has a limit of its own, at no charge.
  template <class Work>
  decltype(auto) excuse(const Work& work) {
    const struct charge {
      time_budget& of;
      double before = of.spent();
      ~charge() { of.excused_ += of.spent() - before; }
    } not_charged{*this};
    return work();
  }

 private:
  using clock = std::chrono::steady_clock;

  // Of the thread that made this object, which computes the expected values, and of the processes it waits for.
  static double starved_until_now(pid_t thread) {
    return without_a_core_s(thread) + counted_starvation::of_all_waits();
  }
  double starved() const { return starved_until_now(thread_) - before_; }

  clock::time_point begin_ = clock::now();
  double seconds_, excused_ = 0;
  pid_t thread_ = gettid();
  double before_ = starved_until_now(thread_);
};

}  // namespace lab
