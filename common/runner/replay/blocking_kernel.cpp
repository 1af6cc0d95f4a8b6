#include <cuda_runtime_api.h>

#include <chrono>

#include "cuda/check.hpp"
#include "runner/device_clock.hpp"
#include "runner/replay/interposed.hpp"

namespace lab::runner {

namespace {

// Longer than most launchers need to queue their work, and short beside the other time that a sample takes.
constexpr std::chrono::microseconds block_time{60};

void block_stream(void*) {
  const auto end = std::chrono::steady_clock::now() + block_time;
  while (std::chrono::steady_clock::now() < end) continue;
}

}  // namespace

bool launch_blocking_kernel() {
  if (non_blocking_stream_exists()) return false;  // its work would run before the first event
  cuda::check(cudaLaunchHostFunc(nullptr, block_stream, nullptr), "cudaLaunchHostFunc");
  return true;
}

}  // namespace lab::runner
