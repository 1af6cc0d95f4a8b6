#include "runner/device_clock.hpp"

#include <chrono>

#include "catch.hpp"

using namespace lab;

// The clock of `measure` with the fake runtime in fake_cuda/, whose calls are synchronous.

namespace {

double seconds_since(const std::chrono::steady_clock::time_point& begin) {
  return std::chrono::duration<double>{std::chrono::steady_clock::now() - begin}.count();
}

float empty_ms(runner::device_clock& clock) {
  float least = clock.milliseconds([] {});
  for (int again = 0; again < 4; ++again) least = std::min(least, clock.milliseconds([] {}));
  return least;
}

}  // namespace

TEST_CASE("a time excludes the blocking kernel, and work of the host gets none") {
  runner::device_clock clock{true};
  CHECK(empty_ms(clock) < 0.05f);  // the blocking kernel takes 60 us
  CHECK(clock.blocked());

  runner::device_clock for_the_host{false};
  for_the_host.calibrate();
  CHECK(empty_ms(for_the_host) < 0.05f);
  CHECK_FALSE(for_the_host.blocked());
}

// The non-blocking stream is created last, because this process then never blocks again.
TEST_CASE("work is behind a blocking kernel, less the time of slow_events, until a non-blocking stream exists") {
  auto begin = std::chrono::steady_clock::now();
  CHECK(runner::launch_blocking_kernel());
  CHECK(seconds_since(begin) >= 60e-6);

  runner::device_clock clock{true};
  CHECK(empty_ms(clock) >= 60);  // an event takes 60 ms in a process with slow_events on its command line
  clock.calibrate();
  CHECK(empty_ms(clock) < 30);
  CHECK(clock.milliseconds([&] {
    begin = std::chrono::steady_clock::now();
    while (seconds_since(begin) < 0.1) continue;
  }) >= 80);
  CHECK(clock.blocked());

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(runner::launch_blocking_kernel());
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_FALSE(runner::launch_blocking_kernel());
  CHECK(empty_ms(clock) >= 60);
  CHECK_FALSE(clock.blocked());
}
