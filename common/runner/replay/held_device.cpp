#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "cuda/check.hpp"
#include "runner/device_clock.hpp"
#include "runner/replay/interposed.hpp"

namespace lab::runner {

namespace {

// The number of the present hold; 0 if nothing holds the device. Each hold has a number of its own, because the host
// function of an earlier one may look at it late.
std::atomic<std::uintptr_t> present = 0;
std::uintptr_t latest = 0;

// Yields, so that it does not take the only core from the thread that queues the work.
void wait_for_release(void* mine) {
  auto number = reinterpret_cast<std::uintptr_t>(mine);
  const auto end = std::chrono::steady_clock::now() + protocol::hold_limit;
  while (present == number && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  present.compare_exchange_strong(number, 0);
}

}  // namespace

bool hold_device() {
  if (non_blocking_stream_exists()) return false;  // its work would run before the first event
  present = ++latest;
  cuda::check(cudaLaunchHostFunc(nullptr, wait_for_release, reinterpret_cast<void*>(latest)), "cudaLaunchHostFunc");
  return true;
}

bool release_device() { return present.exchange(0) != 0; }

}  // namespace lab::runner
