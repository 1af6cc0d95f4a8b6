#pragma once

#include <algorithm>

#include "cuda/stopwatch.hpp"

namespace lab::runner {

/// Blocks the default stream, and every stream that waits for it, for 60 us. Meanwhile the host queues the work that is
/// timed, so that the time does not include the host's launch overhead. Returns false, and does nothing, if a
/// non-blocking stream exists, with CUDA before 12.5, and on the simulator
/// (docs/design/timing-with-a-blocking-kernel.md).
bool launch_blocking_kernel();

/// Times work in the default stream with two events, behind a blocking kernel if one is wanted and possible. Subtracts
/// the time of an empty pair of events, once calibrate() has measured it.
class device_clock {
 public:
  /// Work that the host itself does and waits for needs block_first = false: the host would do it while the stream is
  /// blocked.
  explicit device_clock(bool block_first) : block_first_{block_first} {}

  /// Measures an empty pair of events. Call it when the device is warm.
  void calibrate() {
    if (!block_first_ || !launch_blocking_kernel()) return;
    float least = milliseconds([] {});
    for (int again = 0; again < 9; ++again) least = std::min(least, milliseconds([] {}));
    empty_pair_ms_ = least;
  }

  template <class Work>
  float milliseconds(Work work) {
    blocked_ = block_first_ && launch_blocking_kernel();
    watch_.start();
    work();
    const float measured = watch_.stop();
    return blocked_ ? std::max(measured - empty_pair_ms_, cuda::event_resolution_ms) : measured;
  }

  /// Whether the last timed work was behind a blocking kernel.
  bool blocked() const { return blocked_; }

 private:
  cuda::stopwatch watch_;
  bool block_first_, blocked_ = false;
  float empty_pair_ms_ = 0;
};

}  // namespace lab::runner
