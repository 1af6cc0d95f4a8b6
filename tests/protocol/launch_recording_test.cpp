#include "protocol/launch_recording.hpp"

#include <cstring>

#include "catch.hpp"

using namespace lab::replay;

namespace {

operation launch_of(std::uint32_t kernel) {
  operation op{};
  op.what = action::launch;
  op.index = kernel;
  op.grid = {10, 2, 1};
  op.block = {32, 8, 1};
  op.from = {memory_area::data, 0, 0};
  op.bytes = 24;
  return op;
}

operation copy_of(memory_location to, memory_location from, std::uint64_t bytes) {
  operation op{};
  op.what = action::copy;
  op.to = to;
  op.from = from;
  op.bytes = bytes;
  return op;
}

operation event(action what, std::uint32_t index, std::uint32_t stream) {
  operation op{};
  op.what = what;
  op.index = index;
  op.stream = stream;
  return op;
}

// A recording of every kind of operation.
launch_recording whole() {
  launch_recording recording{
      .array_bytes = 8192, .scratch_bytes = 4096, .events = 1, .streams = {0, 1}, .kernels = {"_Z1kPf", "_Z1mPf"}};
  recording.globals = {"filter"};
  recording.data.resize(64);
  auto fill = copy_of({memory_area::arena, 0, 8192}, {}, 4096);
  fill.what = action::fill;
  fill.value = 255;
  auto attribute = event(action::attribute, 1, 0);
  attribute.value = 8;
  attribute.bytes = 100 << 10;
  recording.operations = {attribute,
                          fill,
                          copy_of({memory_area::global, 0, 4}, {memory_area::data, 0, 32}, 32),
                          launch_of(0),
                          event(action::record_event, 0, 1),
                          event(action::wait_event, 0, 2),
                          event(action::barrier, 0, 0),
                          launch_of(1)};
  return recording;
}

// The error from reading a recording after a change to it; empty without one.
template <class Change>
std::string complaint(Change change) {
  auto recording = whole();
  change(recording);
  try {
    from_bytes(to_bytes(recording));
  } catch (const malformed& error) {
    return error.what();
  }
  return "";
}

template <class Change>
std::string of_launch(Change change) {
  return complaint([&](launch_recording& recording) { change(recording.operations[3]); });
}

}  // namespace

TEST_CASE("a recording is read back as it was written, from a longer file too") {
  const auto recording = whole();
  auto bytes = to_bytes(recording);
  bytes.resize(bytes.size() + 100, std::byte{0x77});
  const auto back = from_bytes(bytes);
  CHECK(to_bytes(back) == to_bytes(recording));
  CHECK(back.kernels == recording.kernels);
  CHECK(back.operations.size() == 8);
  CHECK(back.scratch_bytes == 4096);
}

TEST_CASE("a truncated recording is refused") {
  const auto bytes = to_bytes(whole());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    REQUIRE_THROWS_AS(from_bytes(std::span{bytes}.first(length)), malformed);
}

TEST_CASE("a recording with any byte changed is read or refused") {
  const auto bytes = to_bytes(whole());
  std::size_t refused = 0;
  for (std::size_t position = 0; position < bytes.size(); ++position)
    for (const auto value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      auto forged = bytes;
      forged[position] = std::byte(value);
      try {
        check(from_bytes(forged));
      } catch (const malformed&) {
        ++refused;
      }
    }
  CHECK(refused > bytes.size());
}

TEST_CASE("a count beyond its limit is refused before memory is allocated for it") {
  const auto bytes = to_bytes(whole());
  constexpr std::size_t streams_at = 4 * 8 + 4;
  for (const std::uint64_t count : {std::uint64_t{65}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    auto forged = bytes;
    std::memcpy(forged.data() + streams_at, &count, sizeof count);
    CHECK_THROWS_WITH(from_bytes(forged), std::to_string(count) + " streams, more than 64");
  }
  CHECK(complaint([](auto& recording) {
          recording.operations.resize(most_operations + 1);
        }).starts_with("4097 operations"));
  CHECK(complaint([](auto& recording) { recording.data.resize(most_data + 1); }).starts_with("4194305 bytes of data"));
  CHECK(complaint([](auto& recording) { recording.kernels.assign(300, "k"); }) == "300 kernels, more than 256");
  CHECK(complaint([](auto& recording) {
          recording.kernels[0].assign(5000, 'k');
        }).starts_with("5000 characters in a name"));
}

TEST_CASE("an operation outside the arena, the data or the lists is refused, with its number") {
  CHECK(complaint([](auto& recording) { recording.operations[1].bytes = 4097; }) ==
        "operation 1: memory outside the arena");
  CHECK(complaint([](auto& recording) { recording.operations[1].to.offset = ~std::uint64_t{0}; }) ==
        "operation 1: memory outside the arena");
  CHECK(complaint([](auto& recording) { recording.operations[2].bytes = 33; }) ==
        "operation 2: data outside the recording");
  CHECK(complaint([](auto& recording) { recording.operations[2].to.global = 1; }) ==
        "operation 2: unknown global variable");
  CHECK(complaint([](auto& recording) { recording.operations[2].to.offset = ~std::uint64_t{0} - 15; }) ==
        "operation 2: past the end of every possible global variable");
  CHECK(complaint([](auto& recording) { recording.operations[2].to.area = memory_area::data; }) ==
        "operation 2: writes to the recording");
  CHECK(complaint([](auto& recording) { recording.operations[2].to.area = memory_area{7}; }) ==
        "operation 2: unknown memory area");
  CHECK(of_launch([](auto& op) { op.from.offset = 48; }) == "operation 3: parameters outside the recording's data");
  CHECK(of_launch([](auto& op) { op.from.offset = 4; }) == "operation 3: misaligned parameters");
  CHECK(of_launch([](auto& op) { op.from.area = memory_area::arena; }) ==
        "operation 3: parameters outside the recording's data");
  CHECK(of_launch([](auto& op) { op.index = 2; }) == "operation 3: unknown kernel");
  CHECK(of_launch([](auto& op) { op.stream = 3; }) == "operation 3: unknown stream");
}

TEST_CASE("launches beyond the limits of every GPU are refused") {
  CHECK(of_launch([](auto& op) { op.grid.x = 0; }) == "operation 3: the grid exceeds the limits of every GPU");
  CHECK(of_launch([](auto& op) {
          op.block = {1024, 2, 1};
        }) == "operation 3: the block exceeds the limits of every GPU");
  CHECK(of_launch([](auto& op) {
          op.block = {65536, 65536, 1};
        }) == "operation 3: the block exceeds the limits of every GPU");
  CHECK(of_launch([](auto& op) {
          op.cluster = {2, 0, 1};
        }) == "operation 3: the cluster exceeds the limits of every GPU");
  CHECK(of_launch([](auto& op) { op.shared = 2 << 20; }) == "operation 3: more than 1 MiB of shared memory");
  CHECK(of_launch([](auto& op) { op.cooperative = 2; }) == "operation 3: the launch has unknown flags");
  CHECK(of_launch([](auto& op) { op.what = action{7}; }) == "operation 3: unknown action");
}

TEST_CASE("each event is recorded once, in order, and before a wait for it") {
  CHECK(complaint([](auto& recording) { std::swap(recording.operations[4], recording.operations[5]); }) ==
        "operation 4: waits for an event that no earlier operation records");
  CHECK(complaint([](auto& recording) { recording.operations[5] = recording.operations[4]; }) ==
        "operation 5: event number out of order");
  CHECK(complaint([](auto& recording) { recording.events = 0; }) == "operation 4: event number out of order");
}

TEST_CASE("a recording without a launch, with too much memory, or with invalid names or attributes is refused") {
  CHECK(complaint([](auto& recording) { recording.operations.resize(3); }) == "it launches no kernel");
  CHECK(complaint([](auto& recording) { recording.scratch_bytes = most_scratch + 1; }) ==
        "its scratch memory takes more than 4 GiB");
  CHECK(complaint([](auto& recording) { recording.array_bytes = ~std::uint64_t{0}; }) ==
        "its arrays take more than 1 TiB");
  CHECK(complaint([](auto& recording) { recording.address = 12; }) == "its arena has an invalid address");
  CHECK(complaint([](auto& recording) { recording.kernels[0] = std::string("a\0b", 3); }) ==
        "a name is not an identifier");
  CHECK(complaint([](auto& recording) { recording.kernels[0].clear(); }) == "a name is not an identifier");
  CHECK(complaint([](auto& recording) { recording.operations[0].value = 10; }) ==
        "operation 0: this attribute may not be set");
  CHECK(complaint([](auto& recording) { recording.operations[0].bytes = 2 << 20; }) ==
        "operation 0: attribute value larger than 1 MiB");
  CHECK(complaint([](auto& recording) { recording.streams[0] = 2; }) == "a stream has unknown flags");
}

TEST_CASE("only pointers into the arena move with it") {
  std::vector<std::uint64_t> words{0x30000000, 0x30000010, 0x30001000, 0x30001001, 0x2fffffff, 5};
  move_pointers(std::as_writable_bytes(std::span{words}), 0x30000000, 0x1000, 0x70000000);
  CHECK(words == std::vector<std::uint64_t>{0x70000000, 0x70000010, 0x70001000, 0x30001001, 0x2fffffff, 5});
  std::vector<std::byte> odd(12, std::byte{0});  // the last four bytes cannot be a pointer
  move_pointers(odd, 0, 100, 1);
  CHECK(odd[0] == std::byte{1});
  CHECK(odd[8] == std::byte{0});
}

TEST_CASE("a summary counts the operations") {
  CHECK(summary(whole()) ==
        "2 launches of 2 kernels, 1 fill, 1 copy, 2 streams of its own, 4096 bytes of scratch memory");
}
