#include <algorithm>

#include "cuda/check.hpp"
#include "runner/commands.hpp"
#include "runner/replay/arena.hpp"
#include "runner/replay/interposed.hpp"

namespace lab::runner {

namespace {

// Half of what is free, for the images are there as well as what the launcher allocates.
std::uint64_t room_beside(std::uint64_t images) {
  std::size_t free = 0, all = 0;
  cuda::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  const auto left = free > images ? (free - images) / 2 : 0;
  return std::min<std::uint64_t>(left, replay::most_scratch) / 4096 * 4096;
}

// An arena and its tape stay until the process ends: what the launcher keeps lies there.
struct studio {
  explicit studio(std::uint64_t images)
      : room{room_beside(images)}, memory{replay::arena_address, images + room}, tape{memory.address(), images, room} {}

  std::uint64_t room;
  arena memory;
  replay::recorder tape;
};

std::vector<void*> pointers_in(const arena& memory, std::span<const protocol::slot> slots) {
  std::vector<void*> all;
  for (const auto& s : slots)
    all.push_back(s.kind == protocol::slot_kind::scalar ? nullptr : memory.data() + s.offset + s.guard);
  return all;
}

// What an honest launcher asked for may still be more than a tape can hold.
std::string why_not(const replay::recorder& r) {
  if (!r.why_not().empty()) return r.why_not();
  try {
    replay::check(r.result());
    return "";
  } catch (const replay::malformed& e) {
    return e.what();
  }
}

}  // namespace

void record(const incoming& order, libraries& known, protocol::reply& answer) {
  const auto& r = order.request;
  const std::span slots{r.slot, r.slots};
  static studio* here = nullptr;
  if (here) throw std::runtime_error("a second tape in one process");
  here = new studio{r.file_bytes};
  cuda::check(cudaMemcpy(here->memory.data(), order.in.data(), r.file_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  begin_recording(here->tape);  // before the library is loaded: its variables are known from then on
  call(known.function(r.library[0], r.symbol), slots, pointers_in(here->memory, slots));
  end_recording();
  if (!finished_well(answer)) return;
  const auto bytes = replay::to_bytes(here->tape.result());
  if (const auto reason = why_not(here->tape); !reason.empty()) return say(answer, protocol::status::done, reason);
  if (bytes.size() > r.recording_bytes) return say(answer, protocol::status::done, "its tape is too long");
  std::ranges::copy(bytes, order.out.data() + r.file_bytes);
}

}  // namespace lab::runner
