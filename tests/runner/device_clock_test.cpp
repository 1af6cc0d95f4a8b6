#include "runner/device_clock.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "catch.hpp"

using namespace lab;
using protocol::head_start;

// The clock of `measure` with the fake runtime in fake_cuda/.

namespace {

void queue_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

float empty_ms(runner::device_clock& clock) {
  float least = clock.milliseconds([] {});
  for (int again = 0; again < 4; ++again) least = std::min(least, clock.milliseconds([] {}));
  return least;
}

// Whether some of the tries ends so. A busy machine may interrupt the host for longer than the limit, or the device
// before its limit begins.
template <class Work>
bool ends_with(head_start expected, runner::device_clock& clock, Work work, float most_ms = 1e6f) {
  for (int tries = 0; tries < 50; ++tries)
    if (clock.milliseconds(work) < most_ms && clock.head_start() == expected) return true;
  return false;
}

template <class Work>
bool has_head_start(runner::device_clock& clock, Work work, float most_ms = 1e6f) {
  return ends_with(head_start::complete, clock, work, most_ms);
}

}  // namespace

TEST_CASE("the device is held until the host has queued everything, however long that takes within the limit") {
  runner::device_clock clock{true};
  CHECK(has_head_start(
      clock, [] { queue_for(std::chrono::milliseconds{5}); }, 2));
}

TEST_CASE("work of the host gets no head start") {
  runner::device_clock for_the_host{false};
  for_the_host.calibrate();
  CHECK(for_the_host.milliseconds([] { queue_for(std::chrono::milliseconds{5}); }) >= 5);
  CHECK(for_the_host.head_start() == head_start::none);
}

TEST_CASE("work of the host is timed whole, also where late_events come with the device's first work") {
  runner::device_clock for_the_host{false};
  const auto first_waits_then_copies = [] {
    queue_for(std::chrono::milliseconds{5});
    cudaDeviceSynchronize();
  };
  CHECK(for_the_host.milliseconds(first_waits_then_copies) >= 5);
}

TEST_CASE("work that the host leaves to another stream is part of its time") {
  runner::device_clock for_the_host{false};
  cudaStream_t other = nullptr;
  REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
  const auto leave = [&] {
    cudaLaunchHostFunc(
        other, [](void*) { queue_for(std::chrono::milliseconds{5}); }, nullptr);
  };
  CHECK(for_the_host.milliseconds(leave) >= 5);
}

TEST_CASE("a launcher that waits for the device ends after the limit, and the clock says so") {
  runner::device_clock clock{true};
  clock.milliseconds([] { cudaDeviceSynchronize(); });
  CHECK(clock.head_start() == head_start::timed_out);
  CHECK(has_head_start(clock, [] {}));
  CHECK(ends_with(head_start::timed_out, clock, [] { queue_for(3 * protocol::hold_limit); }));
}

TEST_CASE("an error in the timed work releases the device") {
  runner::device_clock clock{true};
  CHECK_THROWS_AS(clock.milliseconds([] { throw std::runtime_error{"no launch"}; }), std::runtime_error);
  CHECK_FALSE(runner::release_device());  // nothing holds it
  CHECK(has_head_start(clock, [] {}));
}

// The non-blocking stream is created last, because this process then never holds the device again.
TEST_CASE("the time of slow_events is subtracted, and a non-blocking stream ends all head starts") {
  runner::device_clock clock{true};
  CHECK(empty_ms(clock) >= 60);  // an event takes 60 ms in a process with slow_events on its command line
  clock.calibrate();
  CHECK(has_head_start(
      clock, [] {}, 30));

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(has_head_start(clock, [] {}));
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_FALSE(runner::hold_device());
  CHECK(empty_ms(clock) >= 60);
  CHECK(clock.head_start() == head_start::none);
}
