#pragma once

#include <chrono>

namespace lab::cuda {

/// Repeats work, which must wait for the device, for 100 ms: an idle GPU needs that long to raise its clocks.
template <class Work>
void warm_up(Work work) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  do {
    work();
  } while (clock::now() - begin < std::chrono::milliseconds{100});
}

}  // namespace lab::cuda
