#pragma once

#include <algorithm>

#include "cuda/stopwatch.hpp"

namespace lab::runner {

/// Has the default stream, and all that wait for it, do nothing for a moment, in which the host can queue what comes next:
/// else the time between two events holds the host's time as well, and of a short kernel little more than that. Returns
/// false without having done it where a stream was made that waits for nobody, and where there is no GPU.
bool give_head_start();

/// Times work on the default stream by two events, behind a head start where there can be one. Two events are apart even
/// with nothing between them: that much is taken off, once calibrate() has measured it.
class device_clock {
 public:
  /// To be called when the device is warm.
  void calibrate() {
    if (!give_head_start()) return;
    float least = milliseconds([] {});
    for (int again = 0; again < 9; ++again) least = std::min(least, milliseconds([] {}));
    nothing_ = least;
  }

  template <class Work>
  float milliseconds(Work work) {
    constexpr float resolution = 0.0005f;  // of an event
    const bool ahead = give_head_start();
    watch_.start();
    work();
    const float all = watch_.stop();
    return ahead ? std::max(all - nothing_, resolution) : all;
  }

 private:
  cuda::stopwatch watch_;
  float nothing_ = 0;
};

}  // namespace lab::runner
