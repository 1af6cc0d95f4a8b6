#include "runner/replay/interposed.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>

#include "catch.hpp"

using namespace lab;

// The runner's functions in front of a runtime that does nothing, called by a library as a kernel's host code would.

namespace {

constexpr std::uint64_t base = replay::arena_address, images = 4096, room = 1 << 20;
const void* const arena = mmap(reinterpret_cast<void*>(base), images + room, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

// Each launcher in a library loaded anew, for a tape is begun before.
const replay::recorder& recorded(const char* launcher, int n = 5) {
  static std::vector<std::unique_ptr<replay::recorder>> kept;  // an arena outlives its tape
  auto& r = *kept.emplace_back(std::make_unique<replay::recorder>(base, images, room));
  REQUIRE(reinterpret_cast<std::uint64_t>(arena) == base);
  runner::begin_recording(r);
  void* const library = dlopen(LAUNCHERS, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  const auto f = reinterpret_cast<void (*)(std::uint64_t, std::uint64_t, int)>(dlsym(library, launcher));
  REQUIRE(f);
  f(base, base + 256, n);
  runner::end_recording();
  dlclose(library);
  return r;
}

template <class T>
T parameter(const replay::launch_recording& tape, const replay::operation& launch, std::size_t at) {
  T value{};
  std::memcpy(&value, tape.data.data() + launch.from.offset + at, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("memory, fills, copies to variables and launches are taped as the library asks for them") {
  const auto& r = recorded("several", 5);
  CHECK(r.why_not() == "");
  const auto& tape = r.result();
  REQUIRE_NOTHROW(replay::check(tape));
  std::vector<replay::action> what;
  for (const auto& o : tape.operations) what.push_back(o.what);
  using enum replay::action;
  REQUIRE(what == std::vector{attribute, fill, copy, barrier, launch, barrier});
  CHECK(tape.globals == std::vector<std::string>{"filter"});
  CHECK(tape.operations[2].to.offset == 8);
  const auto& launched = tape.operations[4];
  CHECK(tape.kernels[launched.index] == "_Z6kernelPfi4pair");
  CHECK((launched.grid.x == 7 && launched.block.y == 4 && launched.shared == 1024 && launched.bytes == 32));
  CHECK(parameter<std::uint64_t>(tape, launched, 0) == base);
  CHECK(parameter<int>(tape, launched, 8) == 5);
  CHECK(parameter<std::uint64_t>(tape, launched, 16) == base + images);  // memory that it allocated
  CHECK(parameter<std::uint64_t>(tape, launched, 24) == base + 256);
}

TEST_CASE("streams, events, clusters and each way to launch are taped") {
  const auto& tape = recorded("streams").result();
  REQUIRE_NOTHROW(replay::check(tape));
  CHECK(tape.streams == std::vector<std::uint32_t>{1});
  REQUIRE(tape.operations.size() == 5);
  CHECK(tape.operations[0].stream == 1);
  CHECK(tape.operations[2].what == replay::action::wait_event);
  CHECK(tape.operations[3].cluster.x == 8);
  CHECK(tape.operations[4].what == replay::action::launch);
}

TEST_CASE("what host code could decide by, or a tape cannot hold, is refused with a reason") {
  CHECK(recorded("reads_back").why_not() == "it copies from the device to the host, and may decide by what it sees");
  CHECK(recorded("graph").why_not() == "it calls cudaGraphLaunch");
  CHECK(recorded("elsewhere").why_not() ==
        "a parameter of _Z6kernelPfi4pair points to memory that neither is an argument nor comes from cudaMalloc");
}
