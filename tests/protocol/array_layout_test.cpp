#include "protocol/array_layout.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

argument array(parameter_role r, std::vector<int> values, std::int64_t n) {
  const auto raw = std::as_bytes(std::span{values});
  return {r, element::i32, {n}, {raw.begin(), raw.end()}};
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
  array_layout where = lay_out(all);
  memory_file before = initial_arrays(all, where, 42);
  std::vector<std::byte> after{before.view().begin(), before.view().end()};

  // Writes an integer at an index of a parameter's array, which may lie outside.
  void store(std::size_t parameter, std::ptrdiff_t index, int value) {
    const auto& s = where.slots[parameter];
    std::memcpy(after.data() + s.offset + s.guard + index * 4, &value, 4);
  }
  std::optional<stray_store> stray() const { return find_stray(where, before.view(), after); }
};

int word_at(std::span<const std::byte> file, std::size_t at) {
  int value = 0;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

}  // namespace

TEST_CASE("inputs and scalars arrive in the images as they were drawn") {
  const call c;
  const auto in = c.where.payload(0, c.before.view());
  CHECK(word_at(in, 0) == 1);
  CHECK(word_at(in, 8) == 3);
  CHECK(c.where.slots[2].kind == protocol::slot_kind::scalar);
  CHECK(c.where.slots[2].value[0] == 7);
}

TEST_CASE("payloads begin on 256-byte boundaries of their images") {
  for (const auto& s : lay_out(three_arguments()).slots) CHECK(s.guard % 256 == 0);
}

TEST_CASE("untouched memory shows no stray store and no changed input") {
  const call c;
  CHECK_FALSE(c.stray());
  CHECK_FALSE(find_modified_input(c.where, c.before.view(), c.after));
}

TEST_CASE("a store just past the end is found, with its distance") {
  call c;
  c.store(1, 5, 0);
  REQUIRE(c.stray());
  CHECK(c.stray()->parameter == 1);
  CHECK_FALSE(c.stray()->before);
  CHECK(c.stray()->nearest == 1);
  CHECK(c.stray()->farthest == 1);
}

TEST_CASE("a store in front of an array is found, with its distance") {
  call c;
  c.store(1, -3, 0);
  REQUIRE(c.stray());
  CHECK(c.stray()->before);
  CHECK(c.stray()->nearest == 3);
}

TEST_CASE("stores around an input are found as well") {
  call c;
  c.store(0, 3, 0);
  c.store(0, 9, 0);
  REQUIRE(c.stray());
  CHECK(c.stray()->parameter == 0);
  CHECK(c.stray()->nearest == 1);
  CHECK(c.stray()->farthest == 7);
}

TEST_CASE("a changed input is found, a changed output is none") {
  call c;
  c.store(1, 0, 5);
  CHECK_FALSE(find_modified_input(c.where, c.before.view(), c.after));
  c.store(0, 1, 5);
  CHECK(find_modified_input(c.where, c.before.view(), c.after) == 0);
}

TEST_CASE("poison differs between parameters, places and calls") {
  const auto all = three_arguments();
  const auto where = lay_out(all);
  const auto first = initial_arrays(all, where, 1), second = initial_arrays(all, where, 2);
  std::map<int, int> seen;
  for (const auto& s : {where.slots[0], where.slots[1]})
    for (std::size_t i = 0; i < 64; ++i) ++seen[word_at(first.view(), s.offset + 4 * i)];
  CHECK(seen.size() == 128);
  CHECK(word_at(first.view(), where.slots[1].offset) != word_at(second.view(), where.slots[1].offset));
}

TEST_CASE("copying the poison of one parameter over that of another is noticed") {
  call c;
  const auto &in = c.where.slots[0], &out = c.where.slots[1];
  std::memcpy(c.after.data() + out.offset + out.guard + out.bytes, c.after.data() + in.offset + in.guard + in.bytes, 4);
  CHECK(c.stray());
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
