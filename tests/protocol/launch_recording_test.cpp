#include "protocol/launch_recording.hpp"

#include <cstring>

#include "catch.hpp"

using namespace lab::replay;

namespace {

operation launch_of(std::uint32_t kernel) {
  operation o{};
  o.what = action::launch;
  o.index = kernel;
  o.grid = {10, 2, 1};
  o.block = {32, 8, 1};
  o.from = {memory_space::data, 0, 0};
  o.bytes = 24;
  return o;
}

operation copy_of(place to, place from, std::uint64_t bytes) {
  operation o{};
  o.what = action::copy;
  o.to = to;
  o.from = from;
  o.bytes = bytes;
  return o;
}

operation event(action what, std::uint32_t index, std::uint32_t stream) {
  operation o{};
  o.what = what;
  o.index = index;
  o.stream = stream;
  return o;
}

// Everything that a tape can hold.
launch_recording whole() {
  launch_recording r{.images = 8192, .scratch = 4096, .events = 1, .streams = {0, 1}, .kernels = {"_Z1kPf", "_Z1mPf"}};
  r.globals = {"filter"};
  r.data.resize(64);
  auto fill = copy_of({memory_space::arena, 0, 8192}, {}, 4096);
  fill.what = action::fill;
  fill.value = 255;
  auto attribute = event(action::attribute, 1, 0);
  attribute.value = 8;
  attribute.bytes = 100 << 10;
  r.operations = {attribute,
                  fill,
                  copy_of({memory_space::global, 0, 4}, {memory_space::data, 0, 32}, 32),
                  launch_of(0),
                  event(action::record_event, 0, 1),
                  event(action::wait_event, 0, 2),
                  event(action::barrier, 0, 0),
                  launch_of(1)};
  return r;
}

// What reading the tape says after a change to it.
template <class Change>
std::string complaint(Change change) {
  auto r = whole();
  change(r);
  try {
    from_bytes(to_bytes(r));
  } catch (const malformed& e) {
    return e.what();
  }
  return "";
}

template <class Change>
std::string of_launch(Change change) {
  return complaint([&](launch_recording& r) { change(r.operations[3]); });
}

}  // namespace

TEST_CASE("a tape comes back as it was written, also from a longer file") {
  const auto r = whole();
  auto bytes = to_bytes(r);
  bytes.resize(bytes.size() + 100, std::byte{0x77});
  const auto back = from_bytes(bytes);
  CHECK(to_bytes(back) == to_bytes(r));
  CHECK(back.kernels == r.kernels);
  CHECK(back.operations.size() == 8);
  CHECK(back.scratch == 4096);
}

TEST_CASE("no beginning of a tape is a tape") {
  const auto bytes = to_bytes(whole());
  for (std::size_t n = 0; n < bytes.size(); ++n) REQUIRE_THROWS_AS(from_bytes(std::span{bytes}.first(n)), malformed);
}

TEST_CASE("whatever byte of a tape is changed, it is read or refused, and nothing else") {
  const auto bytes = to_bytes(whole());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const auto value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      auto forged = bytes;
      forged[at] = std::byte(value);
      try {
        check(from_bytes(forged));
      } catch (const malformed&) {
        ++refused;
      }
    }
  CHECK(refused > bytes.size());
}

TEST_CASE("counts that promise more than there is are refused before memory is taken for them") {
  const auto bytes = to_bytes(whole());
  constexpr std::size_t streams_at = 4 * 8 + 4;
  for (const std::uint64_t count : {std::uint64_t{65}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    auto forged = bytes;
    std::memcpy(forged.data() + streams_at, &count, sizeof count);
    CHECK_THROWS_WITH(from_bytes(forged), std::to_string(count) + " streams, at most 64 may be");
  }
  CHECK(complaint([](auto& r) { r.operations.resize(most_operations + 1); }).starts_with("4097 operations"));
  CHECK(complaint([](auto& r) { r.data.resize(most_data + 1); }).starts_with("4194305 bytes of data"));
  CHECK(complaint([](auto& r) { r.kernels.assign(300, "k"); }) == "300 kernels");
  CHECK(complaint([](auto& r) { r.kernels[0].assign(5000, 'k'); }).starts_with("5000 letters in a name"));
}

TEST_CASE("what reaches outside of the arena, the data or the lists is refused, and named") {
  CHECK(complaint([](auto& r) { r.operations[1].bytes = 4097; }) == "operation 1: memory outside the arena");
  CHECK(complaint([](auto& r) { r.operations[1].to.offset = ~std::uint64_t{0}; }) ==
        "operation 1: memory outside the arena");
  CHECK(complaint([](auto& r) { r.operations[2].bytes = 33; }) == "operation 2: data past the tape's end");
  CHECK(complaint([](auto& r) { r.operations[2].to.global = 1; }) ==
        "operation 2: a global variable that does not exist");
  CHECK(complaint([](auto& r) { r.operations[2].to.offset = ~std::uint64_t{0} - 15; }) ==
        "operation 2: past the end of any global variable");
  CHECK(complaint([](auto& r) { r.operations[2].to.in = memory_space::data; }) == "operation 2: writes to the tape");
  CHECK(complaint([](auto& r) { r.operations[2].to.in = memory_space{7}; }) ==
        "operation 2: an unknown kind of memory");
  CHECK(of_launch([](auto& o) { o.from.offset = 48; }) == "operation 3: parameters past the data");
  CHECK(of_launch([](auto& o) { o.from.offset = 4; }) == "operation 3: parameters that are not aligned");
  CHECK(of_launch([](auto& o) { o.from.in = memory_space::arena; }) == "operation 3: parameters past the data");
  CHECK(of_launch([](auto& o) { o.index = 2; }) == "operation 3: a kernel that does not exist");
  CHECK(of_launch([](auto& o) { o.stream = 3; }) == "operation 3: a stream that does not exist");
}

TEST_CASE("launches that no GPU takes are refused") {
  CHECK(of_launch([](auto& o) { o.grid.x = 0; }) == "operation 3: a grid that no GPU takes");
  CHECK(of_launch([](auto& o) { o.block = {1024, 2, 1}; }) == "operation 3: a block that no GPU takes");
  CHECK(of_launch([](auto& o) { o.block = {65536, 65536, 1}; }) == "operation 3: a block that no GPU takes");
  CHECK(of_launch([](auto& o) { o.cluster = {2, 0, 1}; }) == "operation 3: a cluster that no GPU takes");
  CHECK(of_launch([](auto& o) { o.shared = 2 << 20; }) == "operation 3: over 1 MiB of shared memory");
  CHECK(of_launch([](auto& o) { o.cooperative = 2; }) == "operation 3: a launch of no known kind");
  CHECK(of_launch([](auto& o) { o.what = action{7}; }) == "operation 3: an unknown action");
}

TEST_CASE("events are recorded once each, in order, and before they are waited for") {
  CHECK(complaint([](auto& r) { std::swap(r.operations[4], r.operations[5]); }) ==
        "operation 4: waits for an event that is not recorded before");
  CHECK(complaint([](auto& r) { r.operations[5] = r.operations[4]; }) == "operation 5: an event out of order");
  CHECK(complaint([](auto& r) { r.events = 0; }) == "operation 4: an event out of order");
}

TEST_CASE("a tape without a launch, of huge memory, or with odd names or attributes is refused") {
  CHECK(complaint([](auto& r) { r.operations.resize(3); }) == "no kernel is launched");
  CHECK(complaint([](auto& r) { r.scratch = most_scratch + 1; }) == "scratch memory of over 4 GiB");
  CHECK(complaint([](auto& r) { r.images = ~std::uint64_t{0}; }) == "images of over 1 TiB");
  CHECK(complaint([](auto& r) { r.address = 12; }) == "an arena at no possible address");
  CHECK(complaint([](auto& r) { r.kernels[0] = std::string("a\0b", 3); }) == "a name that is no identifier");
  CHECK(complaint([](auto& r) { r.kernels[0].clear(); }) == "a name that is no identifier");
  CHECK(complaint([](auto& r) { r.operations[0].value = 10; }) == "operation 0: an attribute that may not be set");
  CHECK(complaint([](auto& r) { r.operations[0].bytes = 2 << 20; }) == "operation 0: an attribute of over 1 MiB");
  CHECK(complaint([](auto& r) { r.streams[0] = 2; }) == "a stream of no known kind");
}

TEST_CASE("pointers into the arena move with it, and nothing else does") {
  std::vector<std::uint64_t> words{0x30000000, 0x30000010, 0x30001000, 0x30001001, 0x2fffffff, 5};
  move_pointers(std::as_writable_bytes(std::span{words}), 0x30000000, 0x1000, 0x70000000);
  CHECK(words == std::vector<std::uint64_t>{0x70000000, 0x70000010, 0x70001000, 0x30001001, 0x2fffffff, 5});
  std::vector<std::byte> odd(12, std::byte{0});  // a last half word is no pointer
  move_pointers(odd, 0, 100, 1);
  CHECK(odd[0] == std::byte{1});
  CHECK(odd[8] == std::byte{0});
}

TEST_CASE("a summary counts what the device did") {
  CHECK(summary(whole()) ==
        "2 launches of 2 kernels, 1 fill, 1 copy, 2 streams of its own, 4096 bytes of scratch memory");
}
