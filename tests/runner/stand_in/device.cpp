#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "protocol/launch_recording.hpp"
#include "runner/channel.hpp"

// Stands in for the GPU's runner: speaks its protocol, and plays tapes on the CPU for a launcher twice(in, out, n). The
// name of its library says what it does: a good record, or one of the things that a hostile library could do.

namespace {

using namespace lab;

std::span<int> payload(const protocol::slot& s, std::byte* images) {
  return {reinterpret_cast<int*>(images + s.offset + s.guard), s.bytes / sizeof(int)};
}

void twice(const protocol::request& r, std::byte* images) {
  const auto in = payload(r.slot[0], images), out = payload(r.slot[1], images);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}

replay::launch_recording one_launch(const protocol::request& r, const char* kernel) {
  replay::launch_recording t{.images = r.file_bytes, .kernels = {kernel}};
  replay::operation o{};
  o.what = replay::action::launch;
  o.grid = o.block = {1, 1, 1};
  o.from.in = replay::memory_space::data;
  t.operations = {o};
  return t;
}

// No kernel that computes anything, but the answers to the inputs of this one call.
replay::launch_recording answers(const runner::incoming& order) {
  auto t = one_launch(order.request, "nothing");
  std::vector<std::byte> images(order.in.data(), order.in.data() + order.request.file_bytes);
  twice(order.request, images.data());
  const auto out = std::as_bytes(payload(order.request.slot[1], images.data()));
  t.data.assign(out.begin(), out.end());
  replay::operation o{};
  o.what = replay::action::copy;
  o.to.offset = order.request.slot[1].offset + order.request.slot[1].guard;
  o.from.in = replay::memory_space::data;
  o.bytes = out.size();
  t.operations.push_back(o);
  return t;
}

void record(const runner::incoming& order, const std::string& what, protocol::reply& answer) {
  if (what == "crashes") std::abort();
  if (what == "says_why_not") std::strcpy(answer.text, "it calls cudaGraphLaunch\nand more");
  auto t = what == "keeps_answers" ? answers(order) : one_launch(order.request, what == "wrong" ? "nothing" : "twice");
  if (what == "reaches_out") t.operations[0].bytes = 32000;
  const auto bytes = replay::to_bytes(t);
  std::memcpy(order.out.data() + order.request.file_bytes, bytes.data(), bytes.size());
  if (what == "scribbles")
    std::memset(order.out.data() + order.request.file_bytes, 0x77, order.request.recording_bytes);
}

void replay(const runner::incoming& order, const std::string& what, protocol::reply& answer) {
  const auto& r = order.request;
  if (r.untrusted && what == "sees_the_host")
    std::strcpy(answer.text, "kernels can read the host's memory on this machine");
  const auto t = replay::from_bytes({order.in.data() + r.file_bytes, r.recording_bytes});
  std::memcpy(order.out.data(), order.in.data(), r.file_bytes);
  for (const auto& o : t.operations) {
    if (o.what == replay::action::copy)
      std::memcpy(order.out.data() + o.to.offset, t.data.data() + o.from.offset, o.bytes);
    if (o.what == replay::action::launch && t.kernels[o.index] == "twice") twice(r, order.out.data());
  }
  answer.samples = 1;
  answer.milliseconds[0][0] = 0.5f;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 3 ? std::filesystem::path{argv[3]}.stem().string() : "";
  const protocol::greeting hello{};
  runner::send(&hello, sizeof hello);
  while (const auto order = runner::receive()) {
    protocol::reply answer{};
    answer.nonce = order->request.nonce;
    const bool records = order->request.what == protocol::command::record;
    records ? ::record(*order, what, answer) : ::replay(*order, what, answer);
    runner::send(&answer, sizeof answer);
  }
}
