#include "runner/replay/recorder.hpp"

#include <array>
#include <cstring>

#include "catch.hpp"

using namespace lab::replay;

namespace {

constexpr std::uint64_t base = arena_address, images = 8192, room = 1 << 20;

recorder fresh() { return {base, images, room}; }

operation shape() {
  operation o{};
  o.grid = {4, 1, 1};
  o.block = {64, 1, 1};
  return o;
}

std::span<const std::byte> as_parameters(const auto& values) { return std::as_bytes(std::span{values}); }

}  // namespace

TEST_CASE("what a launcher does comes out in its order, and the tape is sound") {
  auto r = fresh();
  const auto sums = r.allocate(1000);
  const std::array<std::uint64_t, 2> parameters{base + 256, sums};
  r.add_stream(77, false);
  r.fill(sums, 0x1ff, 1000, 0);
  r.record_event(5, 0);
  r.wait_event(5, 77);
  r.launch("_Z4workPfS_", shape(), as_parameters(parameters), 77);
  r.launch("_Z4workPfS_", shape(), as_parameters(parameters), 1);
  REQUIRE(r.why_not().empty());
  const auto& tape = r.result();
  REQUIRE_NOTHROW(check(tape));
  REQUIRE(tape.operations.size() == 5);
  CHECK(tape.operations[0].value == 0xff);
  CHECK(tape.operations[0].to.offset == sums - base);
  CHECK(tape.operations[3].stream == 1);
  CHECK(tape.operations[4].stream == 0);
  CHECK(tape.kernels == std::vector<std::string>{"_Z4workPfS_"});
  CHECK(std::memcmp(tape.data.data() + tape.operations[3].from.offset, parameters.data(), 16) == 0);
}

TEST_CASE("memory that a launcher allocates lies behind the images, aligned, until there is no more") {
  auto r = fresh();
  const auto first = r.allocate(3), second = r.allocate(5);
  CHECK(first >= base + images);
  CHECK(second >= first + 3);
  CHECK(second % 256 == 0);
  CHECK(r.owns(second));
  CHECK_FALSE(r.owns(base + images + room));
  CHECK(r.allocate(room) == 0);
  CHECK(r.why_not() == "it allocates over 1 MiB of device memory");
  CHECK(r.allocate(~std::uint64_t{0}) == 0);
}

TEST_CASE("an event stands for its last record, and one without a record for nothing") {
  auto r = fresh();
  r.wait_event(9, 0);
  CHECK(r.result().operations.empty());
  r.record_event(9, 0);
  r.record_event(9, 0);
  r.wait_event(9, 0);
  CHECK(r.result().operations.back().index == 1);
  CHECK(r.result().events == 2);
}

TEST_CASE("copies go to variables by name, from the host with their bytes, from the device by place") {
  auto r = fresh();
  r.add_global(1234, "filter");
  const std::array<float, 2> weights{1, 2};
  r.copy({.to = 4, .symbol = 1234, .host = weights.data(), .bytes = 8});
  r.copy({.to = 0, .from = base + 512, .symbol = 1234, .bytes = 16});
  r.copy({.to = base, .from = base + 512, .bytes = 0});
  const auto& o = r.result().operations;
  REQUIRE(o.size() == 2);
  CHECK(r.result().globals == std::vector<std::string>{"filter"});
  CHECK(o[0].to.offset == 4);
  CHECK(o[0].from.in == memory_space::data);
  CHECK(std::memcmp(r.result().data.data() + o[0].from.offset, weights.data(), 8) == 0);
  CHECK(o[1].from.in == memory_space::arena);
  CHECK(o[1].from.offset == 512);
}

TEST_CASE("what cannot be done again is refused, with the first reason") {
  const auto reason = [](auto act) {
    auto r = fresh();
    act(r);
    r.refuse("something else");
    return r.why_not();
  };
  const auto memory = "it fills or copies device memory that neither is an argument nor comes from cudaMalloc";
  CHECK(reason([](auto& r) { r.fill(base - 1, 0, 1, 0); }) == memory);
  CHECK(reason([](auto& r) { r.fill(base, 0, images + 1, 0); }) == memory);
  CHECK(reason([](auto& r) { r.fill(base, 0, 1, 2); }) == "it uses a stream that it did not make by cudaStreamCreate");
  CHECK(reason([](auto& r) { r.copy({.symbol = 1, .host = "x", .bytes = 1}); }) ==
        "it copies to a variable that is not known");
  CHECK(reason([](auto& r) { r.attribute("k", 10, 1); }) == "it sets attribute 10 of a kernel");
  CHECK(reason([](auto& r) { r.attribute("k", 9, ~std::uint64_t{0}); }) == "it sets attribute 9 of a kernel");
  CHECK(reason([](auto& r) {
          for (std::size_t i = 0; i <= most_operations; ++i) r.launch("k", shape(), {}, 0);
        }) == "it asks for over 4096 operations");
  const std::vector<std::byte> large(most_data + 1);
  CHECK(reason([&](auto& r) {
          r.add_global(1, "g");
          r.copy({.symbol = 1, .host = large.data(), .bytes = large.size()});
        }) == "it copies over 4 MiB from the host");
}
