#include <chrono>
#include <cstdlib>
#include <fstream>

#include "bench/kernel_clock.hpp"
#include "bench/timing.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;

// The GPU's runner with the fake runtime and driver in fake_cuda/: one process records replayed_launcher.cpp, another
// replays it.

namespace {

const bool with_fake_cuda = setenv("LAB_BUILD", BUILD_WITH_RUNNER, 1) == 0;

// `machine` is the name of the device code's file, which selects the kind of machine in fake_cuda/.
kernel_times timed(int n, const std::string& machine = "plain", const std::string& contents = "cubin") {
  REQUIRE(with_fake_cuda);
  const auto code = std::filesystem::temp_directory_path() / (machine + std::to_string(getpid()) + ".cubin");
  std::ofstream{code} << contents;
  check_options options;
  options.backend = backend_kind::cuda;
  static const auto lab = lab_test::twice_lab();
  const auto fresh = fresh_test_cases(lab.definition.launchers[0], {n}, 7, oracle::reference);
  const auto times = time_kernels(options, {LIBRARY, code}, lab::memory_space::device, 3, fresh);
  std::filesystem::remove(code);
  return times;
}

measurement measured(int n, protocol::command what = protocol::command::measure, double rest_ms = 0) {
  REQUIRE(with_fake_cuda);
  check_options options;
  options.backend = backend_kind::cuda;
  static const auto lab = lab_test::twice_lab();
  session calls{options, {LIBRARY}};
  const test_case test{lab.definition.launchers[0], {n}, 7, inputs::real};
  return measure(calls, test, {.libraries = {0}, .repeats = 3, .what = what, .rest_ms = rest_ms});
}

}  // namespace

TEST_CASE("a measurement of a launcher that waits for the device ends, and says that it had no complete head start") {
  const auto waiting = measured(1004);
  CHECK(waiting.found.verdict == verdict_kind::pass);
  CHECK(waiting.milliseconds.at(0).size() == 3);
  CHECK(waiting.head_starts == std::vector{protocol::head_start::timed_out});
  bool complete = false;
  for (int tries = 0; tries < 10 && !complete; ++tries)  // a busy machine may interrupt the host for too long
    complete = measured(1000).head_starts == std::vector{protocol::head_start::complete};
  CHECK(complete);
}

TEST_CASE("a loop of calls is timed by the host's clock, and its outputs are judged") {
  const auto loop = measured(1000, protocol::command::loop);
  CHECK(loop.found.verdict == verdict_kind::pass);
  REQUIRE(loop.milliseconds.size() == 1);
  CHECK(loop.milliseconds[0].size() == 7);
}

TEST_CASE("the device rests before each call or loop, if that is wanted") {
  using namespace std::chrono;
  for (const auto& [what, rests] : {std::pair{protocol::command::measure, 3}, {protocol::command::loop, 14}}) {
    const auto begin = steady_clock::now();
    CHECK(measured(1000, what, 40).found.verdict == verdict_kind::pass);
    CHECK(steady_clock::now() - begin > rests * 40ms);
  }
}

TEST_CASE("a replayed launch is right on other inputs, in a process without the launcher") {
  const auto times = timed(1000);
  CHECK(times.why_not == "");
  CHECK(times.summary == "1 launch of 1 kernel");
  CHECK(times.ms.size() == 3);
}

TEST_CASE("memory, fills, copies, global variables, streams and events are replayed from their initial state") {
  const auto times = timed(1001);
  CHECK(times.why_not == "");
  CHECK(times.summary == "2 launches of 1 kernel, 1 fill, 3 copies, 1 stream of its own, 4004 bytes of scratch memory");
  CHECK(times.ms.size() == 3);
}

TEST_CASE("the time of a replay excludes the events' own time") {
  const auto times = timed(1000, "slow_events");
  CHECK(times.why_not == "");
  REQUIRE(times.ms.size() == 3);
  for (const double ms : times.ms) CHECK(ms < 50);  // an empty pair of events measures 60 ms there
}

TEST_CASE("pointers move with the arena if its address is taken") {
  CHECK(timed(1000, "taken").why_not == "");
  CHECK(timed(1001, "taken").why_not == "");
}

TEST_CASE("a launcher that cannot be recorded or replayed gets the reason") {
  CHECK(timed(1002).why_not == "it launches no kernel");
  CHECK(timed(1003).why_not == "it copies from the device to the host, so its later calls may depend on the data");
  CHECK(timed(1000, "hmm").why_not == "on this machine kernels can read host memory");
  const auto broken = timed(1000, "broken", "no such thing").why_not;
  INFO(broken);
  CHECK(broken.find("cuModuleLoadData on the device code: CUDA_ERROR_OF_THE_FAKE") != std::string::npos);
}
