#pragma once

#include <algorithm>

#include "cuda/stopwatch.hpp"
#include "protocol/messages.hpp"

namespace lab::runner {

/// Holds the default stream, and every stream that waits for it, until release_device(). Meanwhile the host queues the
/// work that is timed. Returns false, and does nothing, if a non-blocking stream exists, with CUDA before 12.5, and on
/// the simulator (docs/design/timing-with-a-blocking-kernel.md).
bool hold_device();

/// Ends hold_device(). Returns false if its limit had ended it before.
bool release_device();

/// Holds the device while it exists, if that is wanted and possible.
class held_device {
 public:
  explicit held_device(bool wanted) : held_{wanted && hold_device()} {}
  held_device(const held_device&) = delete;
  held_device& operator=(const held_device&) = delete;
  ~held_device() { release(); }

  protocol::head_start release() {
    if (!held_) return protocol::head_start::none;
    held_ = false;
    return release_device() ? protocol::head_start::complete : protocol::head_start::timed_out;
  }

 private:
  bool held_;
};

/// Times work in the default stream with two events. If wanted and possible, it holds the device until all work is
/// queued. Subtracts the time of an empty pair of events, once calibrate() has measured it.
class device_clock {
 public:
  /// Work that the host itself does and waits for needs hold = false: the host would do it while the stream is held.
  explicit device_clock(bool hold) : hold_{hold} {}

  /// Measures an empty pair of events. Call it when the device is warm.
  void calibrate() {
    empty_pair_ms_ = 0;
    float least = milliseconds([] {});
    for (int again = 0; again < 9; ++again) least = std::min(least, milliseconds([] {}));
    if (head_start_ == protocol::head_start::complete) empty_pair_ms_ = least;
  }

  template <class Work>
  float milliseconds(Work work) {
    held_device held{hold_};
    watch_.start();
    wait_for_idle_device();
    work();
    wait_for_idle_device();
    watch_.end();
    head_start_ = held.release();
    const float measured = watch_.milliseconds();
    if (head_start_ != protocol::head_start::complete) return measured;
    return std::max(measured - empty_pair_ms_, cuda::event_resolution_ms);
  }

  /// Whether the last timed work had a head start.
  protocol::head_start head_start() const { return head_start_; }

 private:
  // Work of the host is timed from an idle device to an idle device. Otherwise the host would begin before the device
  // gets to the first event, and what the host leaves to the driver or to another stream would not count.
  void wait_for_idle_device() const {
    if (!hold_) cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  cuda::stopwatch watch_;
  bool hold_;
  protocol::head_start head_start_ = protocol::head_start::none;
  float empty_pair_ms_ = 0;
};

}  // namespace lab::runner
