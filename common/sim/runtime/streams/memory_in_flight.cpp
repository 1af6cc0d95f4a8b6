#include "sim/runtime/streams/memory_in_flight.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"

namespace lab::sim::in_flight {

namespace {

constexpr std::uintptr_t page = 4096;

struct use {
  std::uintptr_t begin, end;
  bool writes;
  order::operation in;
  std::string by;

  std::uintptr_t first_page() const { return begin / page * page; }
  std::uintptr_t last_page() const { return (end + page - 1) / page * page; }
};

std::recursive_mutex guard;
std::vector<use>& all() {
  static auto* const uses = new std::vector<use>;
  return *uses;
}
int times_opened = 0;

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

void finish_known() {
  finish([](const use& u) { return order::host_knows(u.in); });
}

}  // namespace

void add(std::uintptr_t begin, std::size_t bytes, bool writes, const std::string& by) {
  if (!trace::enabled() || bytes == 0) return;
  const std::lock_guard lock{guard};
  all().push_back({begin, begin + bytes, writes, order::current(), by});
  if (times_opened == 0) close_all();
}

void host_waits(cudaStream_t stream) {
  order::host_waits(stream);
  finish_known();
}

void host_waits(const order::clock& until) {
  order::host_waits(until);
  finish_known();
}

void host_waits_for_all() {
  order::host_waits_for_all();
  finish_known();
}

thread_local const void* atomic_of_host = nullptr;

bool reopen(host_access by_host) {
  if (atomic_of_host) by_host.atomic = true, by_host.pc = atomic_of_host;
  const auto address = by_host.address;
  const bool writes = by_host.writes;
  const std::lock_guard lock{guard};
  const auto at = std::ranges::find_if(all(), [&](const use& u) {
    return address >= u.first_page() && address < u.last_page() && (writes || u.writes);
  });
  if (times_opened > 0 || at == all().end()) return false;
  const auto hit = std::ranges::find_if(all(), [&](const use& u) {
    return address >= u.begin && address < u.end && (writes || u.writes) &&
           trace::used_by_device(address, u.by, writes);
  });
  if (hit != all().end() && !(by_host.atomic && trace::atomic_for_host_and_device(address)))
    trace::not_synchronized(
        by_host.pc, std::string{"host code "} + (writes ? "writes " : "reads ") + describe(address).words + " while " +
                        hit->by + " may still " + (hit->writes ? "write" : "read") +
                        " it; wait for it with cudaDeviceSynchronize(), or for its stream or event");
  const std::uintptr_t first = at->first_page(), last = at->last_page();
  finish([&](const use& u) { return u.first_page() < last && u.last_page() > first; });
  return true;
}

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
