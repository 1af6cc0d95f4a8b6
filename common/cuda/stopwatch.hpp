#pragma once

#include "cuda/check.hpp"

namespace lab::cuda {

/// The smallest difference that CUDA events can measure.
constexpr float event_resolution_ms = 0.0005f;

/// Times work in the default stream with a pair of events.
class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  void start() { check(cudaEventRecord(begin_, nullptr), "cudaEventRecord"); }

  /// Queues the second event.
  void end() { check(cudaEventRecord(end_, nullptr), "cudaEventRecord"); }

  /// Waits for the work between start() and end() and returns its time in milliseconds.
  float milliseconds() {
    check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, begin_, end_), "cudaEventElapsedTime");
    return elapsed;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace lab::cuda
