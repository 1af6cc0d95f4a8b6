#include <algorithm>
#include <span>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/symbols/source_lines.hpp"

// Barriers of a block and of the grid, and warp operations.

namespace lab::sim {

int block_runner::barrier(int predicate, const void* pc, bool of_grid) {
  of_grid_ = of_grid;
  interleave();
  current_->barrier = pc;
  if (traced_) trace::at_barrier(pc);
  arrive(predicate);
  wait();
  return barrier_result_;
}

void block_runner::arrive(int predicate) {
  barrier_count_ += predicate != 0;
  at_barrier_[arrived_++] = current_;
  if (barrier_ready()) release_barrier();
}

void block_runner::release_barrier() {
  barrier_result_ = barrier_count_;
  barrier_count_ = 0;
  const std::span waited{at_barrier_.data(), arrived_};
  if (traced_) {
    for (const fiber* f : waited) diverged_ = trace::diverged(f->barrier, waited[0]->barrier, f->index) || diverged_;
    if (live_ < count_ && !diverged_) report_exited();
    trace::block_synchronized(!of_grid_);
  }
  ready_.insert(ready_.end(), waited.begin(), waited.end());
  arrived_ = 0;
}

// The barrier counts threads that have exited as arrived.
void block_runner::report_exited() {
  for (unsigned t = 0; t < count_; ++t)
    if (exited_[t / 32] >> t % 32 & 1) trace::passed_by(at_barrier_[0]->barrier, returned_at_[t], index_of(t));
}

unsigned block_runner::lanes_of(std::size_t warp) const {
  const unsigned lanes = count_ - static_cast<unsigned>(warp) * 32;
  return lanes >= 32 ? ~0u : (1u << lanes) - 1;
}

const std::uint64_t* block_runner::meet(unsigned mask, std::uint64_t value) {
  interleave();
  fiber* const me = current_;
  const unsigned warp = me->linear / 32, lane = me->linear % 32;
  if (!(mask >> lane & 1))
    abandon(cudaErrorLaunchFailure, hazard_kind::invalid_sync_mask,
            "lane " + std::to_string(lane) + " is not in the mask that it passes to a warp operation");
  return attend(meeting_of(warp, mask, nullptr, nullptr), value);
}

void block_runner::together(warp_operation operation, void* mine, const void* place, const void* pc) {
  interleave();
  auto& meeting = meeting_of(current_->linear / 32, ~0u, operation, place);
  meeting.pc = pc;
  attend(meeting, reinterpret_cast<std::uintptr_t>(mine));
}

// The meeting that the running thread joins: one for the same operation at which its lane has not arrived yet.
rendezvous& block_runner::meeting_of(std::size_t warp, unsigned mask, warp_operation operation, const void* place) {
  auto& open = meetings_[warp];
  for (auto& one : open)
    if (one.mask == mask && one.operation == operation && one.place == place &&
        !(one.arrived >> current_->linear % 32 & 1))
      return one;
  auto& made = open.emplace_back();
  made.mask = mask;
  made.operation = operation;
  made.place = place;
  return made;
}

const std::uint64_t* block_runner::attend(rendezvous& meeting, std::uint64_t value) {
  fiber* const me = current_;
  meeting.arrived |= 1u << me->linear % 32;
  meeting.words[me->linear % 32] = value;
  meeting.waiting[me->linear % 32] = me;
  const unsigned warp = me->linear / 32;
  if (is_complete(warp, meeting)) {
    complete(warp, meeting);
    wait();
  } else if (is_quick() && many_are_ready()) {
    go_on_quickly(me);
  } else {
    wait();
  }
  exchange* const all = me->shared;
  if (!all) return me->words;
  me->shared = nullptr;
  if (--all->readers == 0) free_exchanges_.push_back(all);  // no other thread runs before this one has read the words
  return all->words;
}

exchange* block_runner::fresh_exchange() {
  if (free_exchanges_.empty()) return exchanges_.emplace_back(std::make_unique<exchange>()).get();
  exchange* const free = free_exchanges_.back();
  free_exchanges_.pop_back();
  return free;
}

void block_runner::perform(std::size_t warp, const rendezvous& meeting) {
  const uint3 mine = threadIdx;
  threadIdx = meeting.waiting[__builtin_ctz(meeting.arrived)]->index;
  trace::at(meeting.pc);
  if (meeting.arrived != ~0u)
    abandon(cudaErrorLaunchFailure, hazard_kind::invalid_sync_mask,
            "all 32 lanes of a warp must execute this operation together, but only " +
                std::to_string(__builtin_popcount(meeting.arrived)) + " of warp " + std::to_string(warp) + " do");
  void* lanes[32];
  for (unsigned lane = 0; lane < 32; ++lane) lanes[lane] = reinterpret_cast<void*>(meeting.words[lane]);
  meeting.operation(lanes);
  threadIdx = mine;
}

// While warps meet in turn, some thread is always ready.
void block_runner::forget_taken() {
  constexpr unsigned many = 8192;
  if (ready_head_ < many) return;
  ready_.erase(ready_.begin(), ready_.begin() + ready_head_);
  ready_head_ = 0;
}

void block_runner::complete(std::size_t warp, rendezvous& meeting) {
  if (meeting.operation)
    perform(warp, meeting);
  else if (traced_)
    trace::warp_synchronized(static_cast<unsigned>(warp));
  forget_taken();
  exchange* const all = !meeting.operation && meeting.arrived == ~0u ? fresh_exchange() : nullptr;
  if (all) {
    std::ranges::copy(meeting.words, all->words);
    all->readers = 32;
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(meeting.arrived >> lane & 1)) continue;
    fiber& f = *meeting.waiting[lane];
    f.shared = all;
    ready_.push_back(&f);
    if (all || meeting.operation) continue;
    std::ranges::copy(meeting.words, f.words);
    for (unsigned absent = ~meeting.arrived; absent != 0; absent &= absent - 1)
      f.words[__builtin_ctz(absent)] = meeting.words[lane];
  }
  if (auto& last = meetings_[warp].back(); &last != &meeting) meeting = last;
  meetings_[warp].pop_back();
}

// A warp operation is complete when all lanes of its mask that exist and have not exited have arrived.
bool block_runner::is_complete(std::size_t warp, const rendezvous& meeting) const {
  const unsigned awaited = meeting.mask & lanes_of(warp) & ~exited_[warp];
  return (meeting.arrived & awaited) == awaited;
}

void block_runner::check_meetings(std::size_t warp) {
  auto& open = meetings_[warp];
  for (std::size_t i = 0; i < open.size();) {
    if (is_complete(warp, open[i]))
      complete(warp, open[i]);
    else
      ++i;
  }
}

unsigned block_runner::gather(const void* place) {
  interleave();
  fiber* const me = current_;
  me->barrier = place;
  gathering_.push_back(me);
  wait();
  return static_cast<unsigned>(me->words[0]);
}

void block_runner::release_gathered() {
  for (fiber* const f : gathering_) {
    f->words[0] = 0;
    for (const fiber* const g : gathering_)
      if (g->barrier == f->barrier && g->linear / 32 == f->linear / 32) f->words[0] |= 1u << g->linear % 32;
  }
  ready_.insert(ready_.end(), gathering_.begin(), gathering_.end());
  gathering_.clear();
}

// The first thread that leaves the block's own barrier waits for the other blocks. The others wait for it.
void block_runner::grid_barrier(const void* pc) {
  trace::at(pc);
  if (!call_->cooperative)
    abandon(cudaErrorLaunchFailure, hazard_kind::launch_error,
            "grid-wide synchronization needs a launch with cudaLaunchCooperativeKernel");
  grid_has_synchronized_ = false;
  barrier(0, pc, true);
  if (!grid_has_synchronized_) {
    fiber* const me = current_;
    suspend(block_state::at_grid_barrier);
    threadIdx = me->index;
    trace::thread_continues(me->linear);
    grid_has_synchronized_ = true;
  }
  barrier(0, pc, true);
}

void block_runner::abandon_at_grid_barrier() {
  threadIdx = resume_at_->index;
  const std::string what = "this block waits for all blocks of the grid, but some blocks have exited";
  fail(cudaErrorLaunchFailure, hazard_kind::divergent_barrier, describe_thread() + ": " + what);
  trace::at(resume_at_->barrier);
  trace::stopped(hazard_kind::divergent_barrier, what);
  call_ = nullptr;
}

void block_runner::park(const void* pc) {
  interleave();
  current_->barrier = pc;
  parked_.push_back(current_);
  wait();
  trace::at(pc);
}

void block_runner::wake_parked() {
  ready_.insert(ready_.end(), parked_.begin(), parked_.end());
  parked_.clear();
}

void block_runner::report_parked() {
  if (parked_.empty()) return;
  threadIdx = parked_[0]->index;
  trace::at_wait(parked_[0]->barrier);
  abandon(cudaErrorLaunchTimeout, hazard_kind::hang,
          "waits for a phase of a barrier, for its cluster, for products or for registers, and so do " +
              std::to_string(parked_.size() - 1) + " other threads of its block; none can continue");
}

void block_runner::report_deadlock() {
  report_parked();
  std::size_t lanes = 0;
  const fiber* first = arrived_ == 0 ? nullptr : at_barrier_[0];
  for (const auto& open : meetings_)
    for (const auto& r : open) {
      lanes += static_cast<std::size_t>(__builtin_popcount(r.arrived));
      if (!first && r.pc) trace::at(r.pc);
      if (!first) first = r.waiting[__builtin_ctz(r.arrived)];
    }
  const uint3 index = first ? first->index : threadIdx;
  threadIdx = index;
  const std::string there = std::to_string(arrived_) + " threads wait at a block barrier and " + std::to_string(lanes) +
                            " at warp operations, and none can continue";
  abandon(cudaErrorLaunchFailure, arrived_ == 0 ? hazard_kind::invalid_sync_mask : hazard_kind::divergent_barrier,
          there);
}

}  // namespace lab::sim

using lab::sim::block_runner;

namespace lab_sim {

thread_source::next thread_source::take() { return block_runner::running().next_thread(); }
const uint64_t* meet(unsigned mask, uint64_t value) {
  auto& block = block_runner::running();
  if (block.is_traced()) lab::sim::trace::at(__builtin_return_address(0));
  return block.meet(mask, value);
}
void yield() { block_runner::current().yield(); }
unsigned lane() { return block_runner::running().lane(); }
unsigned gather(const char* function, int line) { return block_runner::current().gather(function + line * 4096L); }
int block_barrier(int predicate, place at) {
  auto& block = block_runner::running();
  if (block.is_quick()) return block.quick_barrier(predicate);
  if (at.data) lab::sim::make_known(at.data);
  return block.barrier(predicate, at.data ? at.data : __builtin_return_address(0));
}
void note_return(place at) {
  lab::sim::make_known(at.data);
  block_runner::current().returns(at.data);
}
void grid_barrier() { block_runner::current().grid_barrier(__builtin_return_address(0)); }
bool grid_is_cooperative() { return block_runner::current().call()->cooperative; }

}  // namespace lab_sim

void __threadfence() {
  lab::sim::trace::fenced();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __threadfence_block() { __threadfence(); }
void __threadfence_system() { __threadfence(); }
