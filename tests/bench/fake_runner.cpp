#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "protocol/launch_recording.hpp"
#include "runner/channel.hpp"

// A fake of the GPU's runner: it speaks the protocol and replays recordings of a launcher twice(in, out, n) on the CPU.
// Its library's name selects its behaviour: an honest recording, or one that a hostile library could make.

namespace {

using namespace lab;

std::span<int> payload(const protocol::slot& slot, std::byte* arrays) {
  return {reinterpret_cast<int*>(arrays + slot.offset + slot.guard), slot.bytes / sizeof(int)};
}

void twice(const protocol::request& request, std::byte* arrays) {
  const auto in = payload(request.slots[0], arrays), out = payload(request.slots[1], arrays);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}

replay::launch_recording one_launch(const protocol::request& request, const char* kernel) {
  replay::launch_recording recording{.array_bytes = request.file_bytes, .kernels = {kernel}};
  replay::operation op{};
  op.what = replay::action::launch;
  op.grid = op.block = {1, 1, 1};
  op.from.area = replay::memory_area::data;
  recording.operations = {op};
  return recording;
}

// A recording that copies the expected outputs of this one call.
replay::launch_recording answers(const runner::incoming_request& incoming) {
  auto recording = one_launch(incoming.request, "nothing");
  std::vector<std::byte> arrays(incoming.in.data(), incoming.in.data() + incoming.request.file_bytes);
  twice(incoming.request, arrays.data());
  const auto out = std::as_bytes(payload(incoming.request.slots[1], arrays.data()));
  recording.data.assign(out.begin(), out.end());
  replay::operation op{};
  op.what = replay::action::copy;
  op.to.offset = incoming.request.slots[1].offset + incoming.request.slots[1].guard;
  op.from.area = replay::memory_area::data;
  op.bytes = out.size();
  recording.operations.push_back(op);
  return recording;
}

void record(const runner::incoming_request& incoming, const std::string& library_name, protocol::reply& reply) {
  if (library_name == "crashes") std::abort();
  if (library_name == "says_why_not") std::strcpy(reply.text, "it calls cudaGraphLaunch\nand more");
  auto recording = library_name == "keeps_answers"
                       ? answers(incoming)
                       : one_launch(incoming.request, library_name == "wrong" ? "nothing" : "twice");
  if (library_name == "reaches_out") recording.operations[0].bytes = 32000;
  const auto bytes = replay::to_bytes(recording);
  std::memcpy(incoming.out.data() + incoming.request.file_bytes, bytes.data(), bytes.size());
  if (library_name == "scribbles")
    std::memset(incoming.out.data() + incoming.request.file_bytes, 0x77, incoming.request.recording_bytes);
}

void replay(const runner::incoming_request& incoming, const std::string& library_name, protocol::reply& reply) {
  const auto& request = incoming.request;
  if (request.untrusted && library_name == "sees_the_host")
    std::strcpy(reply.text, "on this machine kernels can read host memory");
  const auto recording = replay::from_bytes({incoming.in.data() + request.file_bytes, request.recording_bytes});
  std::memcpy(incoming.out.data(), incoming.in.data(), request.file_bytes);
  for (const auto& op : recording.operations) {
    if (op.what == replay::action::copy)
      std::memcpy(incoming.out.data() + op.to.offset, recording.data.data() + op.from.offset, op.bytes);
    if (op.what == replay::action::launch && recording.kernels[op.index] == "twice")
      twice(request, incoming.out.data());
  }
  reply.samples = 1;
  reply.milliseconds[0][0] = 0.5f;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string library_name = argc > 3 ? std::filesystem::path{argv[3]}.stem().string() : "";
  const protocol::greeting greeting{};
  runner::send(&greeting, sizeof greeting);
  while (const auto incoming = runner::receive()) {
    protocol::reply reply{};
    reply.nonce = incoming->request.nonce;
    const bool records = incoming->request.what == protocol::command::record;
    records ? ::record(*incoming, library_name, reply) : ::replay(*incoming, library_name, reply);
    runner::send(&reply, sizeof reply);
  }
}
