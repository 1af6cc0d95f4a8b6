#include <algorithm>

#include "cuda/check.hpp"
#include "runner/commands.hpp"
#include "runner/replay/device_arena.hpp"
#include "runner/replay/interposed.hpp"

namespace lab::runner {

namespace {

// Half of the device memory that is free beside the arrays.
std::uint64_t scratch_capacity_beside(std::uint64_t array_bytes) {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const auto left = free > array_bytes ? (free - array_bytes) / 2 : 0;
  return std::min<std::uint64_t>(left, replay::most_scratch) / 4096 * 4096;
}

// Lives until the process ends, because the launcher may keep pointers to the arena.
struct recording_session {
  explicit recording_session(std::uint64_t array_bytes)
      : scratch_capacity{scratch_capacity_beside(array_bytes)},
        arena{replay::arena_address, array_bytes + scratch_capacity},
        recorder{arena.address(), array_bytes, scratch_capacity} {}

  std::uint64_t scratch_capacity;
  device_arena arena;
  replay::recorder recorder;
};

std::vector<void*> pointers_in(const device_arena& arena, std::span<const protocol::slot> slots) {
  std::vector<void*> pointers;
  for (const auto& slot : slots)
    pointers.push_back(slot.kind == protocol::slot_kind::scalar ? nullptr : arena.data() + slot.offset + slot.guard);
  return pointers;
}

// Why the recording cannot be replayed: a refused call, or more operations than a recording may hold.
std::string refusal_of(const replay::recorder& recorder) {
  if (!recorder.refusal().empty()) return recorder.refusal();
  try {
    replay::check(recorder.result());
    return "";
  } catch (const replay::malformed& error) {
    return error.what();
  }
}

}  // namespace

void record(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  const auto& request = incoming.request;
  const std::span slots{request.slots, request.slot_count};
  static recording_session* session = nullptr;
  if (session) throw std::runtime_error("this process has recorded a launcher before");
  session = new recording_session{request.file_bytes};
  cuda::check(cudaMemcpy(session->arena.data(), incoming.in.data(), request.file_bytes, cudaMemcpyHostToDevice),
              "cudaMemcpy");
  begin_recording(session->recorder);  // before loading: the library's constructors register its global variables
  call_launcher(libraries.function(request.libraries[0], request.symbol), slots, pointers_in(session->arena, slots));
  end_recording();
  if (!wait_for_device(reply)) return;
  const auto bytes = replay::to_bytes(session->recorder.result());
  if (const auto reason = refusal_of(session->recorder); !reason.empty())
    return set_status(reply, protocol::status::done, reason);
  if (bytes.size() > request.recording_bytes)
    return set_status(reply, protocol::status::done, "its recording is too long");
  std::ranges::copy(bytes, incoming.out.data() + request.file_bytes);
}

}  // namespace lab::runner
