#pragma once

#include <algorithm>

#include "cuda/stopwatch.hpp"

namespace lab::runner {

/// Has the default stream, and all that wait for it, do nothing for a moment, in which the host can queue what comes
/// next: else the time between two events holds the host's time as well, and of a short kernel little more than that.
/// Returns false without having done it where a stream was made that waits for nobody, with CUDA before 12.5, whose
/// runtime does not say so, and on the simulator.
bool launch_blocking_kernel();

/// Times work on the default stream by two events, behind a head start where it is wanted and can be given. Two events
/// are apart even with nothing between them: that much is taken off, once calibrate() has measured it.
class device_clock {
 public:
  /// Work that the host itself does and waits for shall have no head start: it would be done meanwhile.
  explicit device_clock(bool block_first) : wanted_{block_first} {}

  /// To be called when the device is warm.
  void calibrate() {
    if (!wanted_ || !launch_blocking_kernel()) return;
    float least = milliseconds([] {});
    for (int again = 0; again < 9; ++again) least = std::min(least, milliseconds([] {}));
    nothing_ = least;
  }

  template <class Work>
  float milliseconds(Work work) {
    ahead_ = wanted_ && launch_blocking_kernel();
    watch_.start();
    work();
    const float all = watch_.stop();
    return ahead_ ? std::max(all - nothing_, cuda::event_resolution_ms) : all;
  }

  /// Whether there was a head start the last time.
  bool ahead() const { return ahead_; }

 private:
  cuda::stopwatch watch_;
  bool wanted_, ahead_ = false;
  float nothing_ = 0;
};

}  // namespace lab::runner
