#include "runner/replay/recorder.hpp"

#include <array>
#include <cstring>

#include "catch.hpp"

using namespace lab::replay;

namespace {

constexpr std::uint64_t base = arena_address, array_bytes = 8192, scratch_capacity = 1 << 20;

recorder new_recorder() { return {base, array_bytes, scratch_capacity}; }

operation shape() {
  operation op{};
  op.grid = {4, 1, 1};
  op.block = {64, 1, 1};
  return op;
}

std::span<const std::byte> as_parameters(const auto& values) { return std::as_bytes(std::span{values}); }

}  // namespace

TEST_CASE("operations are recorded in order, and the recording is valid") {
  auto recorder = new_recorder();
  const auto sums = recorder.allocate(1000);
  const std::array<std::uint64_t, 2> parameters{base + 256, sums};
  recorder.add_stream(77, false);
  recorder.fill(sums, 0x1ff, 1000, 0);
  recorder.record_event(5, 0);
  recorder.wait_event(5, 77);
  recorder.launch("_Z4workPfS_", shape(), as_parameters(parameters), 77);
  recorder.launch("_Z4workPfS_", shape(), as_parameters(parameters), 1);
  REQUIRE(recorder.refusal().empty());
  const auto& recording = recorder.result();
  REQUIRE_NOTHROW(check(recording));
  REQUIRE(recording.operations.size() == 5);
  CHECK(recording.operations[0].value == 0xff);
  CHECK(recording.operations[0].to.offset == sums - base);
  CHECK(recording.operations[3].stream == 1);
  CHECK(recording.operations[4].stream == 0);
  CHECK(recording.kernels == std::vector<std::string>{"_Z4workPfS_"});
  CHECK(std::memcmp(recording.data.data() + recording.operations[3].from.offset, parameters.data(), 16) == 0);
}

TEST_CASE("scratch memory lies behind the arrays, aligned, until the arena is full") {
  auto recorder = new_recorder();
  const auto first = recorder.allocate(3), second = recorder.allocate(5);
  CHECK(first >= base + array_bytes);
  CHECK(second >= first + 3);
  CHECK(second % 256 == 0);
  CHECK(recorder.owns(second));
  CHECK_FALSE(recorder.owns(base + array_bytes + scratch_capacity));
  CHECK(recorder.allocate(scratch_capacity) == 0);
  CHECK(recorder.refusal() == "it allocates more than 1 MiB of device memory");
  CHECK(recorder.allocate(~std::uint64_t{0}) == 0);
}

TEST_CASE("waiting means an event's latest record, and has no effect on one that was never recorded") {
  auto recorder = new_recorder();
  recorder.wait_event(9, 0);
  CHECK(recorder.result().operations.empty());
  recorder.record_event(9, 0);
  recorder.record_event(9, 0);
  recorder.wait_event(9, 0);
  CHECK(recorder.result().operations.back().index == 1);
  CHECK(recorder.result().events == 2);
}

TEST_CASE("a copy names global variables, holds bytes from the host, and locates device memory") {
  auto recorder = new_recorder();
  recorder.add_global(1234, "filter");
  const std::array<float, 2> weights{1, 2};
  recorder.copy({.to = 4, .symbol = 1234, .host = weights.data(), .bytes = 8});
  recorder.copy({.to = 0, .from = base + 512, .symbol = 1234, .bytes = 16});
  recorder.copy({.to = base, .from = base + 512, .bytes = 0});
  const auto& operations = recorder.result().operations;
  REQUIRE(operations.size() == 2);
  CHECK(recorder.result().globals == std::vector<std::string>{"filter"});
  CHECK(operations[0].to.offset == 4);
  CHECK(operations[0].from.area == memory_area::data);
  CHECK(std::memcmp(recorder.result().data.data() + operations[0].from.offset, weights.data(), 8) == 0);
  CHECK(operations[1].from.area == memory_area::arena);
  CHECK(operations[1].from.offset == 512);
}

TEST_CASE("a call that cannot be replayed is refused, and the first reason counts") {
  const auto reason = [](auto call) {
    auto recorder = new_recorder();
    call(recorder);
    recorder.refuse("something else");
    return recorder.refusal();
  };
  const auto foreign_memory = "it fills or copies device memory that is neither an argument nor from cudaMalloc";
  CHECK(reason([](auto& recorder) { recorder.fill(base - 1, 0, 1, 0); }) == foreign_memory);
  CHECK(reason([](auto& recorder) { recorder.fill(base, 0, array_bytes + 1, 0); }) == foreign_memory);
  CHECK(reason([](auto& recorder) { recorder.fill(base, 0, 1, 2); }) ==
        "it uses a stream that it did not create with cudaStreamCreate");
  CHECK(reason([](auto& recorder) { recorder.copy({.symbol = 1, .host = "x", .bytes = 1}); }) ==
        "it copies to a symbol that is not a global variable of its library");
  CHECK(reason([](auto& recorder) { recorder.attribute("k", 10, 1); }) == "it sets attribute 10 of a kernel");
  CHECK(reason([](auto& recorder) { recorder.attribute("k", 9, ~std::uint64_t{0}); }) ==
        "it sets attribute 9 of a kernel");
  CHECK(reason([](auto& recorder) {
          for (std::size_t i = 0; i <= most_operations; ++i) recorder.launch("k", shape(), {}, 0);
        }) == "it issues more than 4096 operations");
  const std::vector<std::byte> large(most_data + 1);
  CHECK(reason([&](auto& recorder) {
          recorder.add_global(1, "g");
          recorder.copy({.symbol = 1, .host = large.data(), .bytes = large.size()});
        }) == "it copies more than 4 MiB from the host");
}
