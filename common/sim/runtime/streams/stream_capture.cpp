#include "sim/runtime/streams/stream_capture.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/streams/streams.hpp"

namespace lab::sim::capture {

namespace {

std::shared_ptr<recording> of(cudaStream_t stream) { return built_in(stream) ? nullptr : stream->captures; }

// The stream's branch; a new one if the stream has just joined.
std::size_t branch_of(cudaStream_t stream, recording& all) {
  const auto [at, joins] = all.branches.try_emplace(stream, 0);
  if (!joins) return at->second;
  for (const auto& s : *all.steps) at->second = std::max(at->second, s.branch + 1);
  for (const auto& [other, branch] : all.branches)
    if (other != stream) at->second = std::max(at->second, branch + 1);
  return at->second;
}

void add(std::vector<std::size_t>& steps, const std::vector<std::size_t>& more) {
  for (const auto s : more)
    if (std::ranges::find(steps, s) == steps.end()) steps.push_back(s);
}

// The capture that work in the legacy stream invalidates, because blocking streams wait for that stream.
std::shared_ptr<recording> spoiled_by(cudaStream_t stream) {
  if (stream && stream != cudaStreamLegacy) return nullptr;
  for (const auto s : created_streams())
    if (s->captures && s->blocking) return s->captures;
  return nullptr;
}

}  // namespace

route decide(cudaStream_t stream, cudaError_t& why) {
  if (!known(stream)) return why = cudaErrorInvalidResourceHandle, route::refused;
  if (const auto spoiled = spoiled_by(stream)) {
    spoiled->spoiled = true;
    set_detail(hazard_kind::launch_error,
               "the default stream cannot get work while another stream captures; use a stream of its own");
    return why = cudaErrorStreamCaptureImplicit, route::refused;
  }
  const auto own = of(stream);
  if (!own) return route::now;
  return own->spoiled ? (why = cudaErrorStreamCaptureInvalidated, route::refused) : route::kept;
}

void begin(cudaStream_t stream, recording all, std::vector<std::size_t> follows) {
  static std::atomic<unsigned long long> last = 0;
  all.origin = stream;
  all.id = ++last;
  all.first_step = all.steps->size();
  branch_of(stream, all);
  stream->follows = std::move(follows);
  stream->captures = std::make_shared<recording>(std::move(all));
}

void keep(cudaStream_t stream, work step, void* allocates) {
  auto& all = *stream->captures;
  const auto number = all.steps->size(), branch = branch_of(stream, all);
  all.steps->push_back({std::move(step), branch, std::exchange(stream->follows, {number}), allocates});
  ++stream->unjoined;
}

bool needs(cudaStream_t stream) {
  return stream->captures && (stream->captures->origin == stream || stream->unjoined > 0);
}

cudaError_t forbids_waiting() {
  for (const auto s : created_streams())
    if (s->captures && s->captures->mode != cudaStreamCaptureModeRelaxed) {
      s->captures->spoiled = true;
      set_detail(hazard_kind::launch_error, "a call must not wait or allocate while a stream captures");
      return cudaErrorStreamCaptureUnsupported;
    }
  return cudaSuccess;
}

void record(cudaEvent_t event, cudaStream_t stream) {
  event->captured = of(stream);
  event->stream = stream;
  if (event->captured) event->follows = stream->follows;
}

cudaError_t wait(cudaStream_t stream, cudaEvent_t event) {
  if (!event->captured) return cudaSuccess;
  if (event->captured->origin->captures != event->captured) return cudaErrorCapturedEvent;  // of a capture that ended
  if (built_in(stream)) return cudaErrorStreamCaptureImplicit;
  if (!stream->captures) stream->captures = event->captured;
  add(stream->follows, event->follows);
  if (stream == event->stream) return cudaSuccess;
  if (known(event->stream)) event->stream->unjoined = 0;  // it may be destroyed already
  ++stream->unjoined;
  return cudaSuccess;
}

}  // namespace lab::sim::capture
