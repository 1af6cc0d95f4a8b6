#include "bench/kernel_clock.hpp"

#include <cstdlib>

#include "catch.hpp"
#include "fixtures/twice.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

replay::launch_recording sound(std::uint64_t images) {
  replay::launch_recording r{.images = images, .kernels = {"_Z1kv"}};
  replay::operation o{};
  o.grid = o.block = {1, 1, 1};
  o.from.in = replay::memory_space::data;
  r.operations = {o};
  return r;
}

// The program that stands in for the GPU's runner lies there; see tapes/device.cpp.
const bool with_a_device = setenv("LAB_BUILD", BUILD_WITH_DEVICE, 1) == 0;

// What comes of a library of this name, played with device code of that one.
kernel_times timed(const std::string& library, const std::string& device_code = "kernel.cubin", bool untrusted = true) {
  REQUIRE(with_a_device);
  check_options o;
  o.backend = backend_kind::cuda;
  static const auto lab = lab_test::twice_lab();
  const auto& c = lab.definition.launchers[0];
  return time_kernels(o, {library + ".so", device_code, untrusted}, memory_space::device, 4,
                      fresh_test_cases(c, {1000}, 7, oracle::reference));
}

// What a runner leaves in its file: images, then whatever it says.
std::vector<std::byte> file_of(const replay::launch_recording& r, std::uint64_t images) {
  std::vector<std::byte> file(images, std::byte{0x5a});
  const auto tape = replay::to_bytes(r);
  file.insert(file.end(), tape.begin(), tape.end());
  file.resize(file.size() + 1000);
  return file;
}

}  // namespace

TEST_CASE("a sound tape behind the images is read") {
  const auto t = read_recording(file_of(sound(4096), 4096), 4096);
  CHECK(t.why_not.empty());
  CHECK_FALSE(t.forged);
  CHECK(t.recording.kernels == std::vector<std::string>{"_Z1kv"});
}

TEST_CASE("a forged tape is told from one that cannot be played") {
  const auto empty = read_recording(std::vector<std::byte>(8192), 4096);
  CHECK(empty.forged);
  CHECK(empty.why_not == "the record of its operations is not one: it does not begin like a tape");
  const auto other = read_recording(file_of(sound(1 << 20), 4096), 4096);
  CHECK(other.forged);
  CHECK(other.why_not == "the record of its operations is not one: its images are of another size");
  auto wild = sound(4096);
  wild.operations[0].index = 1;
  CHECK(read_recording(file_of(wild, 4096), 4096).why_not ==
        "the record of its operations is not one: operation 0: a kernel that does not exist");
}

TEST_CASE("fresh inputs keep the scalars of the tape and nothing else") {
  const argument scalar{parameter_role::scalar, element::i32, {}, std::vector<std::byte>(4, std::byte{1})};
  const argument array{parameter_role::input, element::i32, {2}, std::vector<std::byte>(8, std::byte{2})};
  arguments fresh{scalar, array};
  fresh[0].bytes.assign(4, std::byte{7});
  fresh[1].bytes.assign(8, std::byte{8});
  const auto all = with_scalars_of({scalar, array}, fresh);
  CHECK(all[0].bytes == scalar.bytes);
  CHECK(all[1].bytes == fresh[1].bytes);
}

TEST_CASE("launchers that copy by themselves, and the simulator, keep the host's clock") {
  const auto never = [](int) -> const test_case& { throw std::logic_error("nothing is to be recorded"); };
  check_options o;
  CHECK(time_kernels(o, {"a.so", "a.cubin"}, memory_space::device, 3, never).why_not ==
        "there is no GPU whose work could be timed alone");
  o.backend = backend_kind::cuda;
  CHECK(time_kernels(o, {"a.so", "a.cubin"}, memory_space::host, 3, never).why_not ==
        "the launcher copies its arrays by itself");
  CHECK(time_kernels(o, {"a.so", ""}, memory_space::device, 3, never).why_not ==
        "its device code does not build by itself");
}

TEST_CASE("a good record is played on fresh inputs, as often as was said") {
  const auto t = timed("honest");
  CHECK(t.why_not == "");
  CHECK(t.ms == std::vector<double>{0.5, 0.5, 0.5, 0.5});
  CHECK(t.summary == "1 launch of 1 kernel");
}

TEST_CASE("a record of answers gives no time, for the inputs are others when it is played") {
  const auto t = timed("keeps_answers");
  CHECK(t.ms.empty());
  CHECK_FALSE(t.forged);
  CHECK(t.why_not.starts_with("its device code, run without its host code, comes to wrong_answer: "));
  CHECK(timed("wrong").why_not.starts_with("its device code, run without its host code, comes to wrong_answer: "));
}

TEST_CASE("whoever forges a record is found out, whoever cannot be recorded is not blamed") {
  for (const auto* name : {"reaches_out", "scribbles"}) {
    const auto t = timed(name);
    INFO(name << ": " << t.why_not);
    CHECK(t.forged);
    CHECK(t.ms.empty());
    CHECK(t.why_not.starts_with("the record of its operations is not one: "));
  }
  CHECK_FALSE(timed("crashes").forged);
  CHECK(timed("crashes").why_not == "recorded, it comes to crash: SIGABRT (Aborted)");
  CHECK(timed("says_why_not").why_not == "it calls cudaGraphLaunch");
}

TEST_CASE("where kernels see the host's memory, a stranger's are not timed alone") {
  CHECK(timed("honest", "sees_the_host.cubin").why_not == "kernels can read the host's memory on this machine");
  CHECK(timed("honest", "sees_the_host.cubin", false).ms.size() == 4);
}
