#include <cstdlib>
#include <fstream>

#include "bench/kernel_clock.hpp"
#include "catch.hpp"
#include "fixtures/twice.hpp"

using namespace lab;
using namespace lab::judge;

// The GPU's runner itself, over a runtime and a driver that work on the CPU (tapes/): records twice.cpp's launcher,
// then plays the tape in another process.

namespace {

const bool with_that_runner = setenv("LAB_BUILD", BUILD_WITH_RUNNER, 1) == 0;

// `machine` is the name of the device code's file, by which the stand-ins know what to be.
kernel_times timed(int n, const std::string& machine = "plain", const std::string& contents = "cubin") {
  REQUIRE(with_that_runner);
  const auto code = std::filesystem::temp_directory_path() / (machine + std::to_string(getpid()) + ".cubin");
  std::ofstream{code} << contents;
  check_options o;
  o.backend = backend_kind::cuda;
  static const auto lab = lab_test::twice_lab();
  const auto fresh = fresh_test_cases(lab.definition.launchers[0], {n}, 7, oracle::reference);
  const auto t = time_kernels(o, {LIBRARY, code}, lab::memory_space::device, 3, fresh);
  std::filesystem::remove(code);
  return t;
}

}  // namespace

TEST_CASE("a recorded launch gives right answers on other inputs, in a process without the launcher") {
  const auto t = timed(1000);
  CHECK(t.why_not == "");
  CHECK(t.summary == "1 launch of 1 kernel");
  CHECK(t.ms.size() == 3);
}

TEST_CASE("memory, fills, copies, variables, streams and events are done again, each time from the start") {
  const auto t = timed(1001);
  CHECK(t.why_not == "");
  CHECK(t.summary == "2 launches of 1 kernel, 1 fill, 3 copies, 1 stream of its own, 4004 bytes of scratch memory");
  CHECK(t.ms.size() == 3);
}

TEST_CASE("what the events themselves take is not the tape's time") {
  const auto t = timed(1000, "slow_events");
  CHECK(t.why_not == "");
  REQUIRE(t.ms.size() == 3);
  for (const double ms : t.ms) CHECK(ms < 50);  // two events are 60 ms apart there
}

TEST_CASE("where the arena's address is taken, pointers move with the arena") {
  CHECK(timed(1000, "taken").why_not == "");
  CHECK(timed(1001, "taken").why_not == "");
}

TEST_CASE("what cannot be recorded or played is explained") {
  CHECK(timed(1002).why_not == "no kernel is launched");
  CHECK(timed(1003).why_not == "it copies from the device to the host, and may decide by what it sees");
  CHECK(timed(1000, "hmm").why_not == "kernels can read the host's memory on this machine");
  const auto broken = timed(1000, "broken", "no such thing").why_not;
  INFO(broken);
  CHECK(broken.find("cuModuleLoadData on the device code: CUDA_ERROR_OF_THE_STAND_IN") != std::string::npos);
}
