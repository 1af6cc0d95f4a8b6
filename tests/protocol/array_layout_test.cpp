#include "protocol/array_layout.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

argument array(parameter_role role, std::vector<int> values, std::int64_t count) {
  const auto raw = std::as_bytes(std::span{values});
  return {role, element::i32, {count}, {raw.begin(), raw.end()}};
}

// in: 3 integers, out: 5 integers, n: a scalar.
arguments three_arguments() {
  arguments all{array(parameter_role::input, {1, 2, 3}, 3), array(parameter_role::output, {}, 5),
                array(parameter_role::input, {7}, 1)};
  all[2].role = parameter_role::scalar;
  return all;
}

struct call {
  arguments all = three_arguments();
  array_layout layout = lay_out(all);
  memory_file before = initial_arrays(all, layout, 42);
  std::vector<std::byte> after{before.view().begin(), before.view().end()};

  // Stores an integer at an index of a parameter's array; the index may be outside.
  void store(std::size_t parameter, std::ptrdiff_t index, int value) {
    const auto& slot = layout.slots[parameter];
    std::memcpy(after.data() + slot.offset + slot.guard + index * 4, &value, 4);
  }
  std::optional<stray_store> stray() const { return find_stray(layout, before.view(), after); }
};

int word_at(std::span<const std::byte> file, std::size_t offset) {
  int value = 0;
  std::memcpy(&value, file.data() + offset, 4);
  return value;
}

}  // namespace

TEST_CASE("the file holds inputs and scalars as they were drawn") {
  const call one_call;
  const auto in = one_call.layout.payload(0, one_call.before.view());
  CHECK(word_at(in, 0) == 1);
  CHECK(word_at(in, 8) == 3);
  CHECK(one_call.layout.slots[2].kind == protocol::slot_kind::scalar);
  CHECK(one_call.layout.slots[2].value[0] == 7);
}

TEST_CASE("misaligned arrays begin one element behind a multiple of 256 bytes and stay guarded") {
  const auto all = three_arguments();
  const auto layout = lay_out(all, zones::misaligned);
  for (const auto& slot : layout.slots)
    if (slot.kind == protocol::slot_kind::array) CHECK((slot.offset + slot.guard) % 256 == sizeof(int));
  CHECK(layout.slots[0].offset + layout.slots[0].guard * 2 + layout.slots[0].bytes <= layout.slots[1].offset);
  const auto file = initial_arrays(all, layout, 42);
  CHECK(word_at(layout.payload(0, file.view()), 8) == 3);
}

TEST_CASE("pooled arrays lie one after the other, without guard zones, and outputs are poisoned") {
  const auto all = three_arguments();
  const auto layout = lay_out(all, zones::pooled);
  CHECK(layout.pooled);
  CHECK_FALSE(lay_out(all).pooled);
  CHECK(layout.slots[0].guard == 0);
  CHECK(layout.slots[1].offset == 4096);
  CHECK(layout.slots[1].blank == 0);
}

TEST_CASE("outputs of a call that returns no array take no room") {
  const auto all = three_arguments();
  const auto layout = lay_out(all, zones::discarded);
  CHECK(layout.slots[0].guard == 0);
  CHECK(layout.slots[1].blank == 1);
  CHECK(layout.slots[1].bytes == all[1].size_bytes());
  CHECK(layout.file_bytes == 4096);
  const auto file = initial_arrays(all, layout, 42);
  CHECK(word_at(layout.payload(0, file.view()), 8) == 3);
}

TEST_CASE("payloads begin at multiples of 256 bytes in their guarded arrays") {
  for (const auto& slot : lay_out(three_arguments()).slots) CHECK(slot.guard % 256 == 0);
}

TEST_CASE("untouched memory shows no stray store and no changed input") {
  const call one_call;
  CHECK_FALSE(one_call.stray());
  CHECK_FALSE(find_modified_input(one_call.layout, one_call.before.view(), one_call.after));
}

TEST_CASE("a store just past the end is found, with its distance") {
  call one_call;
  one_call.store(1, 5, 0);
  REQUIRE(one_call.stray());
  CHECK(one_call.stray()->parameter == 1);
  CHECK_FALSE(one_call.stray()->before);
  CHECK(one_call.stray()->nearest == 1);
  CHECK(one_call.stray()->farthest == 1);
}

TEST_CASE("a store in front of an array is found, with its distance") {
  call one_call;
  one_call.store(1, -3, 0);
  REQUIRE(one_call.stray());
  CHECK(one_call.stray()->before);
  CHECK(one_call.stray()->nearest == 3);
}

TEST_CASE("stores around an input are found as well") {
  call one_call;
  one_call.store(0, 3, 0);
  one_call.store(0, 9, 0);
  REQUIRE(one_call.stray());
  CHECK(one_call.stray()->parameter == 0);
  CHECK(one_call.stray()->nearest == 1);
  CHECK(one_call.stray()->farthest == 7);
}

TEST_CASE("a changed input is found; a changed output is no modified input") {
  call one_call;
  one_call.store(1, 0, 5);
  CHECK_FALSE(find_modified_input(one_call.layout, one_call.before.view(), one_call.after));
  one_call.store(0, 1, 5);
  CHECK(find_modified_input(one_call.layout, one_call.before.view(), one_call.after) == 0);
}

TEST_CASE("poison differs between parameters, places and calls") {
  const auto all = three_arguments();
  const auto layout = lay_out(all);
  const auto first = initial_arrays(all, layout, 1), second = initial_arrays(all, layout, 2);
  std::map<int, int> seen;
  for (const auto& slot : {layout.slots[0], layout.slots[1]})
    for (std::size_t i = 0; i < 64; ++i) ++seen[word_at(first.view(), slot.offset + 4 * i)];
  CHECK(seen.size() == 128);
  CHECK(word_at(first.view(), layout.slots[1].offset) != word_at(second.view(), layout.slots[1].offset));
}

TEST_CASE("copying the poison of one parameter over another's is found") {
  call one_call;
  const auto &in = one_call.layout.slots[0], &out = one_call.layout.slots[1];
  std::memcpy(one_call.after.data() + out.offset + out.guard + out.bytes,
              one_call.after.data() + in.offset + in.guard + in.bytes, 4);
  CHECK(one_call.stray());
}

TEST_CASE("a sealed file refuses to be written, shrunk and mapped for writing; a writable one to be shrunk") {
  const auto sealed = memory_file::sealed(4096, [](std::span<std::byte> all) { all[0] = std::byte{9}; });
  CHECK(sealed.view()[0] == std::byte{9});
  CHECK(pwrite(sealed.get(), "x", 1, 0) == -1);
  CHECK(ftruncate(sealed.get(), 0) == -1);
  CHECK(mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, sealed.get(), 0) == MAP_FAILED);
  const auto open = memory_file::writable(4096);
  CHECK(ftruncate(open.get(), 0) == -1);
  CHECK(pwrite(open.get(), "x", 1, 0) == 1);
}
