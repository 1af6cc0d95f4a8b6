#include "sim/runtime/execution/async_copies.hpp"

#include <algorithm>
#include <cstring>

#include "lab_sim/ptx/copies.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

void async_copies::start_block() {
  for (const unsigned thread : used_) all_[thread] = {};
  used_.clear();
}

async_copies::of_thread& async_copies::of(unsigned thread) {
  if (thread >= all_.size()) all_.resize(1024);
  return all_[thread];
}

void async_copies::begin(unsigned thread, const pending_copy& copy) {
  auto& mine = of(thread);
  if (mine.copies.empty() && mine.groups.empty()) used_.push_back(thread);
  mine.copies.push_back(copy);
  trace::copy_begins(copy.to, copy.from, copy.bytes, copy.zeros, copy.pc);
}

void async_copies::close_group(unsigned thread) {
  auto& mine = of(thread);
  if (mine.copies.empty() && mine.groups.empty()) used_.push_back(thread);
  const auto count = static_cast<unsigned>(mine.copies.size());
  mine.groups.push_back(count - mine.in_groups);
  mine.in_groups = count;
}

void async_copies::land(of_thread& mine, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const auto& c = mine.copies[i];
    trace::copy_arrives(c.to, c.bytes, c.pc);
    std::memcpy(c.to, c.from, c.bytes - c.zeros);
    std::memset(static_cast<char*>(c.to) + c.bytes - c.zeros, 0, c.zeros);
  }
  mine.copies.erase(mine.copies.begin(), mine.copies.begin() + count);
  mine.arrived += count;
}

unsigned async_copies::begun(unsigned thread) {
  const auto& mine = of(thread);
  return mine.arrived + static_cast<unsigned>(mine.copies.size());
}

void async_copies::arrive_until(unsigned thread, unsigned begun) {
  auto& mine = of(thread);
  if (begun <= mine.arrived) return;
  const unsigned count = begun - mine.arrived;
  unsigned left = std::min(count, mine.in_groups);
  mine.in_groups -= left;
  for (auto& group : mine.groups) {
    const unsigned of_group = std::min(group, left);
    group -= of_group;
    left -= of_group;
  }
  land(mine, count);
}

void async_copies::await_groups(unsigned thread, unsigned open, const void* pc) {
  auto& mine = of(thread);
  if (mine.groups.size() <= open) return;
  const auto done = mine.groups.size() - open;
  unsigned count = 0;
  for (std::size_t i = 0; i < done; ++i) count += mine.groups[i];
  mine.groups.erase(mine.groups.begin(), mine.groups.begin() + static_cast<std::ptrdiff_t>(done));
  mine.in_groups -= count;
  trace::at(pc);
  land(mine, count);
}

void async_copies::await_all(unsigned thread, const void* pc) {
  auto& mine = of(thread);
  mine.groups.clear();
  mine.in_groups = 0;
  trace::at(pc);
  land(mine, static_cast<unsigned>(mine.copies.size()));
}

}  // namespace lab::sim

using lab::sim::block_runner;

namespace lab_sim {

namespace {

unsigned thread_of_block() { return lab::sim::linear_index(threadIdx); }

}  // namespace

void copy_async(void* to, const void* from, unsigned bytes, unsigned zeros) {
  if (zeros > bytes) zeros = bytes;
  block_runner::running().copies().begin(thread_of_block(), {to, from, bytes, zeros, __builtin_return_address(0)});
}
void close_copies() { block_runner::running().copies().close_group(thread_of_block()); }
void await_copies(unsigned groups) {
  block_runner::running().copies().await_groups(thread_of_block(), groups, __builtin_return_address(0));
}
void await_all_copies() { block_runner::running().copies().await_all(thread_of_block(), __builtin_return_address(0)); }

}  // namespace lab_sim
