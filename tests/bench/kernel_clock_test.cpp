#include "bench/kernel_clock.hpp"

#include <cstdlib>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

replay::launch_recording sound(std::uint64_t array_bytes) {
  replay::launch_recording recording{.array_bytes = array_bytes, .kernels = {"_Z1kv"}};
  replay::operation op{};
  op.grid = op.block = {1, 1, 1};
  op.from.area = replay::memory_area::data;
  recording.operations = {op};
  return recording;
}

// fake_runner.cpp lies there in place of the GPU's runner.
const bool with_fake_runner = setenv("LAB_BUILD", BUILD_WITH_FAKE_RUNNER, 1) == 0;

// Records the library and replays the device code; their names select the fake runner's behaviour.
kernel_times timed(const std::string& library, const std::string& device_code = "kernel.cubin", bool untrusted = true) {
  REQUIRE(with_fake_runner);
  check_options options;
  options.backend = backend_kind::cuda;
  static const auto lab = lab_test::twice_lab();
  const auto& launcher = lab.definition.launchers[0];
  return time_kernels(options, {library + ".so", device_code, untrusted}, memory_space::device, 4,
                      fresh_test_cases(launcher, {1000}, 7, oracle::reference));
}

// A runner's output file: the guarded arrays, then the recording.
std::vector<std::byte> file_of(const replay::launch_recording& recording, std::uint64_t array_bytes) {
  std::vector<std::byte> file(array_bytes, std::byte{0x5a});
  const auto recording_bytes = replay::to_bytes(recording);
  file.insert(file.end(), recording_bytes.begin(), recording_bytes.end());
  file.resize(file.size() + 1000);
  return file;
}

}  // namespace

TEST_CASE("a valid recording behind the arrays is read") {
  const auto result = read_recording(file_of(sound(4096), 4096), 4096);
  CHECK(result.why_not.empty());
  CHECK_FALSE(result.forged);
  CHECK(result.recording.kernels == std::vector<std::string>{"_Z1kv"});
}

TEST_CASE("an invalid recording counts as forged") {
  const auto empty = read_recording(std::vector<std::byte>(8192), 4096);
  CHECK(empty.forged);
  CHECK(empty.why_not == "its launch recording is invalid: it has no header of a recording");
  const auto other = read_recording(file_of(sound(1 << 20), 4096), 4096);
  CHECK(other.forged);
  CHECK(other.why_not == "its launch recording is invalid: its arrays have another size");
  auto wild = sound(4096);
  wild.operations[0].index = 1;
  CHECK(read_recording(file_of(wild, 4096), 4096).why_not ==
        "its launch recording is invalid: operation 0: unknown kernel");
}

TEST_CASE("new inputs keep only the scalars of the recorded call") {
  const argument scalar{parameter_role::scalar, element::i32, {}, std::vector<std::byte>(4, std::byte{1})};
  const argument array{parameter_role::input, element::i32, {2}, std::vector<std::byte>(8, std::byte{2})};
  arguments fresh{scalar, array};
  fresh[0].bytes.assign(4, std::byte{7});
  fresh[1].bytes.assign(8, std::byte{8});
  const auto all = with_scalars_of({scalar, array}, fresh);
  CHECK(all[0].bytes == scalar.bytes);
  CHECK(all[1].bytes == fresh[1].bytes);
}

TEST_CASE("launchers that copy their arrays themselves, and the simulator, have no kernel times") {
  const auto never = [](int) -> const test_case& { throw std::logic_error("nothing may be recorded here"); };
  check_options options;
  CHECK(time_kernels(options, {"a.so", "a.cubin"}, memory_space::device, 3, never).why_not ==
        "the simulator has no GPU time to measure");
  options.backend = backend_kind::cuda;
  CHECK(time_kernels(options, {"a.so", "a.cubin"}, memory_space::host, 3, never).why_not ==
        "the launcher copies its arrays itself");
  CHECK(time_kernels(options, {"a.so", ""}, memory_space::device, 3, never).why_not ==
        "its device code does not compile alone");
}

TEST_CASE("a valid recording is replayed on new inputs the requested number of times") {
  const auto result = timed("honest");
  CHECK(result.why_not == "");
  CHECK(result.ms == std::vector<double>{0.5, 0.5, 0.5, 0.5});
  CHECK(result.summary == "1 launch of 1 kernel");
}

TEST_CASE("recorded outputs give no time, because the replay has other inputs") {
  const auto result = timed("keeps_answers");
  CHECK(result.ms.empty());
  CHECK_FALSE(result.forged);
  CHECK(result.why_not.starts_with("its device code without its host code gets wrong_answer: "));
  CHECK(timed("wrong").why_not.starts_with("its device code without its host code gets wrong_answer: "));
}

TEST_CASE("a forged recording is reported, and a launcher that cannot be recorded is not accused") {
  for (const auto* name : {"reaches_out", "scribbles"}) {
    const auto result = timed(name);
    INFO(name << ": " << result.why_not);
    CHECK(result.forged);
    CHECK(result.ms.empty());
    CHECK(result.why_not.starts_with("its launch recording is invalid: "));
  }
  CHECK_FALSE(timed("crashes").forged);
  CHECK(timed("crashes").why_not == "recording it gets crash: SIGABRT (Aborted)");
  CHECK(timed("says_why_not").why_not == "it calls cudaGraphLaunch");
}

TEST_CASE("on a machine where kernels can read host memory, untrusted kernels are not timed alone") {
  CHECK(timed("honest", "sees_the_host.cubin").why_not == "on this machine kernels can read host memory");
  CHECK(timed("honest", "sees_the_host.cubin", false).ms.size() == 4);
}
