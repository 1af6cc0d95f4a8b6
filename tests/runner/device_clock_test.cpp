#include "runner/device_clock.hpp"

#include <chrono>

#include "catch.hpp"

using namespace lab;

// The clock of `measure`, over the runtime in tapes/, which does everything at once.

namespace {

double seconds(const std::chrono::steady_clock::time_point& since) {
  return std::chrono::duration<double>{std::chrono::steady_clock::now() - since}.count();
}

float least_of_nothing(runner::device_clock& clock) {
  float least = clock.milliseconds([] {});
  for (int again = 0; again < 4; ++again) least = std::min(least, clock.milliseconds([] {}));
  return least;
}

}  // namespace

TEST_CASE("the head start itself is not in the time, and work of the host has none") {
  runner::device_clock clock{true};
  CHECK(least_of_nothing(clock) < 0.05f);  // less than the 60 microseconds that it lasts
  CHECK(clock.ahead());

  runner::device_clock for_the_host{false};
  for_the_host.calibrate();
  CHECK(least_of_nothing(for_the_host) < 0.05f);
  CHECK_FALSE(for_the_host.ahead());
}

// A stream that waits for nobody is made last: this process remembers it.
TEST_CASE("the device is given a head start, and slow_events are taken off, until a stream waits for nobody") {
  auto begin = std::chrono::steady_clock::now();
  CHECK(runner::launch_blocking_kernel());
  CHECK(seconds(begin) >= 60e-6);

  runner::device_clock clock{true};
  CHECK(least_of_nothing(clock) >= 60);  // so long this runtime's events take in a process that is called slow_events
  clock.calibrate();
  CHECK(least_of_nothing(clock) < 30);
  CHECK(clock.milliseconds([&] {
    begin = std::chrono::steady_clock::now();
    while (seconds(begin) < 0.1) continue;
  }) >= 80);
  CHECK(clock.ahead());

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(runner::launch_blocking_kernel());
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_FALSE(runner::launch_blocking_kernel());
  CHECK(least_of_nothing(clock) >= 60);
  CHECK_FALSE(clock.ahead());
}
