#include "runner/replay/interposed.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>

#include "catch.hpp"

using namespace lab;

// The interposed functions with the fake runtime, called by a library that stands for a kernel's host code.

namespace {

constexpr std::uint64_t base = replay::arena_address, array_bytes = 4096, scratch_capacity = 1 << 20;
const void* const arena = mmap(reinterpret_cast<void*>(base), array_bytes + scratch_capacity, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

// Loads the library again for each launcher, because the recording must begin before that.
const replay::recorder& recorded(const char* launcher, int n = 5) {
  static std::vector<std::unique_ptr<replay::recorder>> kept;  // an arena outlives its recording
  auto& recorder = *kept.emplace_back(std::make_unique<replay::recorder>(base, array_bytes, scratch_capacity));
  REQUIRE(reinterpret_cast<std::uint64_t>(arena) == base);
  runner::begin_recording(recorder);
  void* const library = dlopen(LAUNCHERS, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  const auto function = reinterpret_cast<void (*)(std::uint64_t, std::uint64_t, int)>(dlsym(library, launcher));
  REQUIRE(function);
  function(base, base + 256, n);
  runner::end_recording();
  dlclose(library);
  return recorder;
}

template <class T>
T parameter(const replay::launch_recording& recording, const replay::operation& launch, std::size_t offset) {
  T value{};
  std::memcpy(&value, recording.data.data() + launch.from.offset + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("memory, fills, copies to global variables and launches are recorded in order") {
  const auto& recorder = recorded("several", 5);
  CHECK(recorder.refusal() == "");
  const auto& recording = recorder.result();
  REQUIRE_NOTHROW(replay::check(recording));
  std::vector<replay::action> what;
  for (const auto& op : recording.operations) what.push_back(op.what);
  using enum replay::action;
  REQUIRE(what == std::vector{attribute, fill, copy, barrier, launch, barrier});
  CHECK(recording.globals == std::vector<std::string>{"filter"});
  CHECK(recording.operations[2].to.offset == 8);
  const auto& launched = recording.operations[4];
  CHECK(recording.kernels[launched.index] == "_Z6kernelPfi4pair");
  CHECK((launched.grid.x == 7 && launched.block.y == 4 && launched.shared == 1024 && launched.bytes == 32));
  CHECK(parameter<std::uint64_t>(recording, launched, 0) == base);
  CHECK(parameter<int>(recording, launched, 8) == 5);
  CHECK(parameter<std::uint64_t>(recording, launched, 16) == base + array_bytes);  // its scratch memory
  CHECK(parameter<std::uint64_t>(recording, launched, 24) == base + 256);
}

TEST_CASE("streams, events, clusters and every launch function are recorded") {
  const auto& recording = recorded("streams").result();
  REQUIRE_NOTHROW(replay::check(recording));
  CHECK(recording.streams == std::vector<std::uint32_t>{1});
  REQUIRE(recording.operations.size() == 5);
  CHECK(recording.operations[0].stream == 1);
  CHECK(recording.operations[2].what == replay::action::wait_event);
  CHECK(recording.operations[3].cluster.x == 8);
  CHECK(recording.operations[4].what == replay::action::launch);
}

TEST_CASE("a call that cannot be replayed is refused with a reason") {
  CHECK(recorded("reads_back").refusal() ==
        "it copies from the device to the host, so its later calls may depend on the data");
  CHECK(recorded("graph").refusal() == "it calls cudaGraphLaunch");
  CHECK(recorded("elsewhere").refusal() ==
        "a parameter of _Z6kernelPfi4pair points to device memory that is neither an argument nor from cudaMalloc");
}
