#include "sim/runtime/streams/stream_order.hpp"

#include <algorithm>
#include <mutex>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/streams/streams.hpp"

namespace lab::sim::order {

namespace {

constexpr std::uint32_t legacy = 0, per_thread = 1, none = ~0u;

struct timeline {
  std::string name;
  clock after;             // what happens before its next operation
  std::uint32_t last = 0;  // the number of its last operation
  bool dropped = false;
};

std::recursive_mutex guard;
std::vector<timeline>& all() {
  static auto* const timelines = new std::vector<timeline>{{"the default stream", {}}, {"the per-thread stream", {}}};
  return *timelines;
}
clock host;
thread_local std::uint32_t instead = none;
thread_local operation now = 0;

std::uint32_t number_in(const clock& known, std::uint32_t line) { return line < known.size() ? known[line] : 0; }
std::uint32_t line_of(operation which) { return static_cast<std::uint32_t>(which >> 32); }
bool contains(const clock& known, operation which) {
  return number_in(known, line_of(which)) >= static_cast<std::uint32_t>(which);
}

// The legacy stream follows all work in blocking streams, and these follow the legacy stream.
void follow_legacy_rules(std::uint32_t line, bool blocking) {
  auto& mine = all()[line].after;
  if (line != legacy) {
    if (blocking) join(mine, all()[legacy].after);
    return;
  }
  join(mine, all()[per_thread].after);
  for (const auto s : created_streams())
    if (s->blocking) join(mine, all()[s->timeline].after);
}

// The stream's timeline, with all that its next operation follows.
timeline& prepared(cudaStream_t stream) {
  const auto line = timeline_of(stream);
  if (instead == none) follow_legacy_rules(line, built_in(stream) || stream->blocking);
  join(all()[line].after, host);
  return all()[line];
}

}  // namespace

void join(clock& into, const clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

// The number of a dropped timeline is used again once no later operation can be unordered with its own.
std::uint32_t make_timeline(const std::string& name) {
  const std::lock_guard lock{guard};
  for (std::uint32_t i = 0; i < all().size(); ++i)
    if (all()[i].dropped && number_in(host, i) >= all()[i].last) {
      all()[i] = {name, {}, all()[i].last};
      return i;
    }
  all().push_back({name, {}});
  return static_cast<std::uint32_t>(all().size() - 1);
}

void drop_timeline(std::uint32_t line) {
  const std::lock_guard lock{guard};
  all()[line].dropped = true;
}

std::uint32_t timeline_of(cudaStream_t stream) {
  if (instead != none) return instead;
  return !stream || stream == cudaStreamLegacy ? legacy : stream == cudaStreamPerThread ? per_thread : stream->timeline;
}

operation begin(cudaStream_t stream) {
  if (!trace::enabled()) return 0;
  const std::lock_guard lock{guard};
  auto& mine = prepared(stream);
  const auto line = static_cast<std::uint32_t>(&mine - all().data());
  if (mine.after.size() <= line) mine.after.resize(line + 1);
  mine.after[line] = ++mine.last;
  return now = operation{line} << 32 | mine.last;
}

operation current() { return now; }

bool before_current(operation earlier) {
  const std::lock_guard lock{guard};
  return contains(all()[line_of(now)].after, earlier);
}

bool host_knows(operation earlier) {
  const std::lock_guard lock{guard};
  return contains(host, earlier);
}

std::string place_of(operation which) {
  const std::lock_guard lock{guard};
  return all()[line_of(which)].name;
}

clock recorded(cudaStream_t stream) {
  if (!trace::enabled()) return {};
  const std::lock_guard lock{guard};
  return prepared(stream).after;
}

void stream_waits(cudaStream_t stream, const clock& until) {
  if (!trace::enabled()) return;
  const std::lock_guard lock{guard};
  join(prepared(stream).after, until);
}

void host_waits(const clock& until) {
  const std::lock_guard lock{guard};
  join(host, until);
}

void host_waits(cudaStream_t stream) { host_waits(recorded(stream)); }

void host_waits_for_all() {
  const std::lock_guard lock{guard};
  for (const auto& t : all()) join(host, t.after);
}

in_timeline::in_timeline(std::uint32_t line, const clock& base) : before_{instead} {
  const std::lock_guard lock{guard};
  instead = line;
  join(all()[line].after, base);
}
in_timeline::~in_timeline() { instead = before_; }

}  // namespace lab::sim::order
