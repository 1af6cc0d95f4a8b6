#include "sim/runtime/execution/mbarriers.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "lab_sim/device.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/execution/cluster.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

bool mbarrier::end_if_complete() {
  if (missing > 0 || bytes != 0) return false;
  trace::phase_ended();
  missing = expected;
  ++phase;
  return true;
}

void mbarrier::seen() {
  std::erase_if(unseen, [&](const distant_arrival& one) { return one.phase < phase; });
}

std::vector<distant_arrival> mbarriers::unseen() const {
  std::vector<distant_arrival> found;
  for (const auto& [place, one] : all_) found.insert(found.end(), one.unseen.begin(), one.unseen.end());
  std::ranges::sort(found, {}, [](const distant_arrival& one) { return std::tuple{one.rank, one.thread, one.phase}; });
  return found;
}

void mbarriers::start_block(std::uint64_t seed) {
  all_.clear();
  pending_.clear();
  random_ = seed * 2 + 1;
}

mbarrier* mbarriers::at(const void* place) {
  const auto found = all_.find(place);
  return found == all_.end() ? nullptr : &found->second;
}

void mbarriers::all_known() {
  for (auto& [place, one] : all_) one.known = true;
}

namespace {

void copy_row(const pending_box& box, unsigned i) {
  const auto row = box.map.row_at(box.at, i);
  const unsigned size = box.map.element_bytes, bytes = box.map.row_bytes();
  const unsigned first = row.before * size, last = first + row.inside * size;
  for (unsigned at = 0; at < bytes; at += 16) {  // elements of TMA's rows fill whole groups of 16 bytes
    char piece[16] = {};
    const unsigned begin = std::clamp(first, at, at + 16), end = std::clamp(last, at, at + 16);
    if (begin < end) std::memcpy(piece + (begin - at), row.from + (begin - first), end - begin);
    std::memcpy(box.map.place_of(box.to, i * bytes + at), piece, sizeof piece);
  }
}

void require_missing(const mbarrier& one, unsigned arrivals, const void* pc) {
  if (arrivals <= one.missing) return;
  trace::at_wait(pc);
  block_runner::running().abandon(cudaErrorLaunchFailure, hazard_kind::race,
                                  "arrives at a barrier whose phase has all its " + std::to_string(one.expected) +
                                      " arrivals and is not over; no thread has waited for its end");
}

}  // namespace

bool mbarriers::land_one(async_copies& of_threads) {
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  std::swap(pending_[(random_ >> 33) % pending_.size()], pending_.back());
  const auto one = pending_.back();
  pending_.pop_back();
  if (const auto* const arrival = std::get_if<pending_arrival>(&one)) return land(*arrival, of_threads);
  return land(std::get<pending_box>(one));
}

bool mbarriers::land(const pending_arrival& arrival, async_copies& of_threads) {
  threadIdx = index_of(arrival.thread);
  trace::thread_continues(arrival.thread);
  of_threads.arrive_until(arrival.thread, arrival.copies);
  auto* const barrier = at(arrival.barrier);
  if (!barrier) return false;
  require_missing(*barrier, 1, arrival.pc);
  --barrier->missing;
  return barrier->end_if_complete();
}

bool mbarriers::land(const pending_box& box) {
  if (box.from_another_block) trace::box_begins(box.to, box.map.box_bytes(), box.pc);
  for (unsigned i = 0; i < box.map.rows(); ++i) copy_row(box, i);
  trace::box_arrives(box.to, box.map.box_bytes());
  auto* const barrier = at(box.barrier);
  if (!barrier) return false;
  barrier->bytes -= box.map.box_bytes();
  return barrier->end_if_complete();
}

namespace {

// The lanes of a warp may be in step.
void require_order(mbarrier& one, const void* pc) {
  if (one.interval == 0 || one.interval != trace::interval() || one.thread / 32 == linear_index(threadIdx) / 32) return;
  trace::not_ordered(
      "uses a barrier in shared memory that another thread has initialized; no barrier of the block is between them",
      pc, one.pc);
  one.interval = 0;  // reported once
}

// The block in whose shared memory this is, and what that block calls the place.
struct owned_place {
  block_runner& block;
  void* at;
  bool of_another = false;
};

owned_place part_of(cluster& peers, unsigned rank, void* at, const void* pc) {
  if (const auto misuse = peers.misuse_of(rank); !misuse.empty()) {
    if (!peers.has_ended(rank)) {
      trace::at_cluster(pc);
      block_runner::running().abandon(cudaErrorLaunchFailure, hazard_kind::race, misuse);
    }
    // Public kernels arrive at barriers of a ring whose block needs them no more and has ended.
    trace::misuses_block(misuse, pc);
  }
  return {peers.runner_of(rank), at, rank != peers.rank()};
}

owned_place owner_of(void* place, const void* pc) {
  cluster* const peers = block_runner::running().peers();
  if (!peers) return {block_runner::running(), place};
  const auto [rank, at] = peers->place_of(place);
  return part_of(*peers, rank, at, pc);
}

mbarrier& barrier_at(const owned_place& place, const void* pc) {
  auto* const found = place.block.barriers().at(place.at);
  if (!found)
    block_runner::running().abandon(
        cudaErrorLaunchFailure, hazard_kind::uninitialized_read,
        "uses a barrier in shared memory before mbarrier.init has set its number of arrivals");
  if (!place.of_another) require_order(*found, pc);
  return *found;
}

mbarrier& barrier_at(void* place, const void* pc) { return barrier_at({block_runner::running(), place}, pc); }

}  // namespace

}  // namespace lab::sim

using lab::sim::block_runner;
using lab::sim::hazard_kind;
namespace trace = lab::sim::trace;

namespace lab_sim {

void barrier_begins(void* barrier, unsigned arrivals) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  block_runner::running().barriers().begin(barrier, {.expected = arrivals,
                                                     .missing = arrivals,
                                                     .thread = lab::sim::linear_index(threadIdx),
                                                     .interval = trace::interval(),
                                                     .pc = pc});
}

void barrier_expects(void* barrier, unsigned bytes, unsigned arrivals) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  const auto place = lab::sim::owner_of(barrier, pc);
  auto& one = lab::sim::barrier_at(place, pc);
  lab::sim::require_missing(one, arrivals, pc);
  one.bytes += bytes;
  if (place.of_another && arrivals > 0 && trace::enabled())
    one.unseen.push_back(block_runner::running().peers()->arrival_now(one.phase, pc));
  one.missing -= arrivals;
  if (arrivals > 0 && one.end_if_complete()) place.block.wake_parked();
}

void arrive_after_copies(void* barrier, bool expected) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  auto& block = block_runner::running();
  auto& one = lab::sim::barrier_at(barrier, pc);
  if (!expected) ++one.missing;
  const auto thread = lab::sim::linear_index(threadIdx);
  block.barriers().arrive_after({barrier, thread, block.copies().begun(thread), pc});
}

bool barrier_is_over(void* barrier, unsigned parity, bool waits) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  auto& block = block_runner::running();
  const auto is_over = [&] { return lab::sim::barrier_at(barrier, pc).is_over(parity); };
  if (!waits && !is_over()) block.yield();
  while (waits && !is_over()) block.park(pc);
  if (!is_over()) return false;
  lab::sim::barrier_at(barrier, pc).seen();
  return true;
}

void barriers_known() { block_runner::running().barriers().all_known(); }

void fence_of_proxies() {
  barriers_known();
  trace::proxies_fenced();
}

void copy_box(void* to, const void* map, const int* at, unsigned rank, void* barrier, unsigned blocks) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  auto& block = block_runner::running();
  lab::sim::pending_box box{static_cast<char*>(to), {}, {}, barrier, lab::sim::linear_index(threadIdx), pc};
  __builtin_memcpy(&box.map, map, sizeof box.map);
  const auto fail = [&](hazard_kind kind, const char* why) { block.abandon(cudaErrorLaunchFailure, kind, why); };
  if (box.map.mark != lab::sim::tensor_map::right || box.map.rank != rank)
    fail(hazard_kind::launch_error, "copies a box by a tensor map that no call has made for this number of dimensions");
  if (reinterpret_cast<uintptr_t>(to) % 128 != 0)
    fail(hazard_kind::misaligned, "copies a box to an address in shared memory that is no multiple of 128");
  for (unsigned d = 0; d < rank; ++d) box.at[d] = at[d];
  if (!lab::sim::barrier_at(lab::sim::owner_of(barrier, pc), pc).known)
    trace::not_ordered("copies to a barrier that no fence has made known to the copy engine since its mbarrier.init",
                       pc, nullptr);
  for (unsigned i = 0; i < box.map.rows() && trace::enabled(); ++i)
    if (const auto row = box.map.row_at(box.at, i); row.inside > 0)
      trace::box_reads(row.from, row.inside * box.map.element_bytes, pc);
  const auto begin_in = [&](const lab::sim::owned_place& place, void* its_barrier) {
    box.to = static_cast<char*>(place.at), box.barrier = its_barrier, box.from_another_block = place.of_another;
    if (!place.of_another) trace::box_begins(box.to, box.map.box_bytes(), pc);
    place.block.barriers().begin_copy(box);
  };
  const auto place = lab::sim::owner_of(to, pc);
  auto* const peers = block.peers();
  if (blocks == 0 || !peers) return begin_in(place, lab::sim::owner_of(barrier, pc).at);
  for (unsigned r = 0; r < peers->size(); ++r)
    if (blocks >> r & 1) begin_in(lab::sim::part_of(*peers, r, place.at, pc), barrier);
}

}  // namespace lab_sim
