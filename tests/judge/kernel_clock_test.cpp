#include "judge/kernel_clock.hpp"

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

tape::recording sound(std::uint64_t images) {
  tape::recording r{.images = images, .kernels = {"_Z1kv"}};
  tape::operation o{};
  o.grid = o.block = {1, 1, 1};
  o.from.in = tape::memory::data;
  r.operations = {o};
  return r;
}

// What a runner leaves in its file: images, then whatever it says.
std::vector<std::byte> file_of(const tape::recording& r, std::uint64_t images) {
  std::vector<std::byte> file(images, std::byte{0x5a});
  const auto tape = tape::to_bytes(r);
  file.insert(file.end(), tape.begin(), tape.end());
  file.resize(file.size() + 1000);
  return file;
}

}  // namespace

TEST_CASE("a sound tape behind the images is read") {
  const auto t = read_tape(file_of(sound(4096), 4096), 4096);
  CHECK(t.why_not.empty());
  CHECK_FALSE(t.forged);
  CHECK(t.tape.kernels == std::vector<std::string>{"_Z1kv"});
}

TEST_CASE("a forged tape is told from one that cannot be played") {
  const auto empty = read_tape(std::vector<std::byte>(8192), 4096);
  CHECK(empty.forged);
  CHECK(empty.why_not == "the record of its operations is not one: it does not begin like a tape");
  const auto other = read_tape(file_of(sound(1 << 20), 4096), 4096);
  CHECK(other.forged);
  CHECK(other.why_not == "the record of its operations is not one: its images are of another size");
  auto wild = sound(4096);
  wild.operations[0].index = 1;
  CHECK(read_tape(file_of(wild, 4096), 4096).why_not ==
        "the record of its operations is not one: operation 0: a kernel that does not exist");
}

TEST_CASE("fresh inputs keep the scalars of the tape and nothing else") {
  const argument scalar{role::scalar, element::i32, {}, std::vector<std::byte>(4, std::byte{1})};
  const argument array{role::input, element::i32, {2}, std::vector<std::byte>(8, std::byte{2})};
  arguments fresh{scalar, array};
  fresh[0].bytes.assign(4, std::byte{7});
  fresh[1].bytes.assign(8, std::byte{8});
  const auto all = with_scalars_of({scalar, array}, fresh);
  CHECK(all[0].bytes == scalar.bytes);
  CHECK(all[1].bytes == fresh[1].bytes);
}

TEST_CASE("launchers that copy by themselves, and the simulator, keep the host's clock") {
  const auto never = [](int) -> const trial& { throw std::logic_error("nothing is to be recorded"); };
  options o;
  CHECK(time_kernels(o, {"a.so", "a.cubin"}, memory::device, 3, never).why_not ==
        "there is no GPU whose work could be timed alone");
  o.backend = backend::cuda;
  CHECK(time_kernels(o, {"a.so", "a.cubin"}, memory::host, 3, never).why_not ==
        "the launcher copies its arrays by itself");
  CHECK(time_kernels(o, {"a.so", ""}, memory::device, 3, never).why_not == "its device code does not build by itself");
}
