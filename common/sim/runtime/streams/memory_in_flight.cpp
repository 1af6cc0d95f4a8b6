#include "sim/runtime/streams/memory_in_flight.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <vector>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/streams.hpp"

namespace lab::sim::in_flight {

namespace {

constexpr std::uintptr_t page = 4096;

struct use {
  std::uintptr_t begin, end;
  bool writes;
  std::set<cudaStream_t> streams;  // waiting for any of these waits for the work
  std::uint64_t moment;
  std::string by;

  std::uintptr_t first_page() const { return begin / page * page; }
  std::uintptr_t last_page() const { return (end + page - 1) / page * page; }
};

std::recursive_mutex guard;
std::vector<use>& all() {
  static auto* const uses = new std::vector<use>;
  return *uses;
}
std::uint64_t moment = 0;
int times_opened = 0;
thread_local bool overridden = false;
thread_local cudaStream_t instead = nullptr;

bool legacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }
bool blocking(cudaStream_t stream) {
  return legacy(stream) || stream == cudaStreamPerThread || (known(stream) && stream->blocking);
}

void protect(const use& used, int protection) {
  mprotect(reinterpret_cast<void*>(used.first_page()), used.last_page() - used.first_page(), protection);
}

void close_all() {
  for (const auto& u : all())
    if (!u.writes) protect(u, PROT_READ);
  for (const auto& u : all())
    if (u.writes) protect(u, PROT_NONE);
}

template <class Done>
void finish(Done done) {
  const std::lock_guard lock{guard};
  for (const auto& u : all())
    if (done(u)) protect(u, PROT_READ | PROT_WRITE);
  std::erase_if(all(), done);
  if (times_opened == 0) close_all();
}

bool waits_for(const std::set<cudaStream_t>& streams, cudaStream_t stream) {
  if (!legacy(stream)) return streams.contains(stream);
  return std::ranges::any_of(streams, blocking);
}

}  // namespace

void add(std::uintptr_t begin, std::size_t bytes, bool writes, cudaStream_t stream, const std::string& by) {
  if (!trace::enabled() || bytes == 0) return;
  const std::lock_guard lock{guard};
  const cudaStream_t s = overridden ? instead : stream;
  all().push_back({begin, begin + bytes, writes, {legacy(s) ? nullptr : s}, ++moment, by});
  if (times_opened == 0) close_all();
}

void follow(cudaStream_t stream) {
  if (!trace::enabled()) return;
  const std::lock_guard lock{guard};
  const cudaStream_t s = overridden ? instead : stream;
  for (auto& u : all()) {
    if (legacy(s) && std::ranges::any_of(u.streams, blocking)) u.streams.insert(nullptr);
    if (blocking(s) && u.streams.contains(nullptr)) u.streams.insert(s);
  }
}

std::uint64_t now() {
  const std::lock_guard lock{guard};
  return moment;
}

void stream_waits(cudaStream_t stream, cudaStream_t other, std::uint64_t until) {
  const std::lock_guard lock{guard};
  for (auto& u : all())
    if (u.moment <= until && waits_for(u.streams, other)) u.streams.insert(legacy(stream) ? nullptr : stream);
}

void host_waits(cudaStream_t stream, std::uint64_t until) {
  finish([&](const use& u) { return u.moment <= until && waits_for(u.streams, stream); });
}

void host_waits_for_all() {
  finish([](const use&) { return true; });
}

bool reopen(std::uintptr_t address, bool writes, const void* pc) {
  const std::lock_guard lock{guard};
  const auto at = std::ranges::find_if(all(), [&](const use& u) {
    return address >= u.first_page() && address < u.last_page() && (writes || u.writes);
  });
  if (times_opened > 0 || at == all().end()) return false;
  const auto hit = std::ranges::find_if(all(), [&](const use& u) {
    return address >= u.begin && address < u.end && (writes || u.writes) &&
           trace::used_by_device(address, u.by, writes);
  });
  if (hit != all().end())
    trace::not_synchronized(pc, std::string{"host code "} + (writes ? "writes " : "reads ") + describe(address).words +
                                    " while " + hit->by + " may still " + (hit->writes ? "write" : "read") +
                                    " it; wait for it with cudaDeviceSynchronize(), or for its stream or event");
  const std::uintptr_t first = at->first_page(), last = at->last_page();
  finish([&](const use& u) { return u.first_page() < last && u.last_page() > first; });
  return true;
}

in_stream::in_stream(cudaStream_t stream) : had_{overridden}, before_{instead} {
  if (!had_) overridden = true, instead = stream;
}
in_stream::~in_stream() { overridden = had_, instead = before_; }

void open() {
  const std::lock_guard lock{guard};
  if (times_opened++ > 0) return;
  for (const auto& u : all()) protect(u, PROT_READ | PROT_WRITE);
}

void close() {
  const std::lock_guard lock{guard};
  if (--times_opened == 0) close_all();
}

}  // namespace lab::sim::in_flight
