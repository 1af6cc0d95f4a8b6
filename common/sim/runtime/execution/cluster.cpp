#include "sim/runtime/execution/cluster.hpp"

#include "lab_sim/device.h"
#include "sim/runtime/execution/execution_order.hpp"

namespace lab::sim {

namespace {

std::uint64_t volume(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }

dim3 clusters_along(const lab_sim::config& where) {
  return {where.grid.x / where.cluster.x, where.grid.y / where.cluster.y, where.grid.z / where.cluster.z};
}

}  // namespace

dim3 place_in(const dim3& size, std::uint64_t number) {
  const std::uint64_t row = number / size.x;
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(row % size.y),
          static_cast<unsigned>(row / size.y)};
}

std::uint64_t cluster::count(const lab_sim::config& where) {
  return volume(where.cluster) > 1 ? volume(clusters_along(where)) : 0;
}

cluster::cluster(const lab_sim::config& where, const lab_sim::kernel_call& call)
    : where_{where},
      call_{call},
      threads_{static_cast<unsigned>(volume(where.block))},
      all_(volume(where.cluster)),
      users_(all_.size() * threads_) {
  for (auto& one : all_) one.runner.join(*this);
}

void cluster::begin(std::uint64_t number) {
  const dim3 at = place_in(clusters_along(where_), number), &size = where_.cluster, &grid = where_.grid;
  for (unsigned rank = 0; rank < all_.size(); ++rank) {
    const dim3 within = place_in(size, rank);
    auto& one = all_[rank];
    one.index = {at.x * size.x + within.x, at.y * size.y + within.y, at.z * size.z + within.z};
    one.number = one.index.x + std::uint64_t{grid.x} * (one.index.y + std::uint64_t{grid.y} * one.index.z);
    one.started = false;
    one.shared.prepare(call_.dynamic_bytes);
  }
  users_.assign(users_.size(), {});
  phase_ = 0;
  missing_ = living_ = users_.size();
  stuck_ = false;
  idle_rounds_ = 0;
}

// Blocks run one after another on this OS thread. So if no thread moves in the turns of all blocks, none ever will,
// unless one looks again and again for something, such as the time.
bool cluster::run(std::uint64_t number) {
  begin(number);
  const auto order = turn_order(size(), number);
  for (bool unfinished = true; unfinished;) {
    unfinished = false;
    bool moved = false, spinning = false;
    for (const unsigned rank : order) {
      auto& one = all_[running_ = rank];
      if (one.has_ended()) continue;
      one.turn(call_, false);
      if (one.state == block_state::abandoned) return false;
      for (unsigned i = 0; i < threads_ && one.has_ended(); ++i) thread_ended(i);
      unfinished = unfinished || !one.has_ended();
      moved = moved || one.runner.has_moved();
      spinning = spinning || one.state == block_state::spinning;
    }
    stuck_ = !moved && !spinning;
    idle_rounds_ = moved ? 0 : idle_rounds_ + 1;
  }
  return true;
}

// The runner of the block that runs has changed places with that of the OS thread.
block_runner& cluster::runner_of(unsigned rank) {
  return rank == running_ ? block_runner::current() : all_[rank].runner;
}

void* cluster::in_block(const void* place, unsigned rank, const void* pc) {
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    trace::at_cluster(pc);
    block_runner::running().abandon(error, hazard_kind::out_of_bounds, why);
  };
  if (rank >= all_.size())
    refuse(cudaErrorLaunchFailure,
           "asks for block " + std::to_string(rank) + " of its cluster, which has " + std::to_string(all_.size()));
  const auto [owner, own] = place_of(const_cast<void*>(place));
  if (rank == running_) return own;
  void* const found = all_[rank].shared.saved_from(own);
  if (!found) refuse(cudaErrorIllegalAddress, "asks for another block's part of memory that is not shared memory");
  return found;
}

std::string cluster::misuse_of(unsigned rank) const {
  const auto& other = all_[rank];
  if (rank == running_ || (other.started && !other.has_ended())) return {};
  return "uses shared memory of block " + std::to_string(rank) + " of its cluster, which has " +
         (other.started ? "ended; a barrier of the cluster must come after the last use"
                        : "not begun; a barrier of the cluster must come before the first use");
}

cluster::shared_place cluster::place_of(void* address) const {
  for (unsigned rank = 0; rank < all_.size(); ++rank) {
    if (rank == running_) continue;
    if (void* const at = all_[rank].shared.place_of(address)) return {rank, at};
  }
  return {running_, address};
}

void cluster::arrive(const void* pc, bool releases) {
  trace::at_barrier(pc);
  auto& me = user(linear_index(threadIdx));
  if (me.arrived > me.waited)
    block_runner::running().abandon(cudaErrorLaunchFailure, hazard_kind::divergent_barrier,
                                    "arrives at the barrier of its cluster again before it has waited there");
  ++me.arrived;
  me.releases += releases;
  one_less_is_missing();
}

void cluster::wait(const void* pc) {
  trace::at(pc);
  auto& block = block_runner::running();
  auto& me = user(linear_index(threadIdx));
  if (me.arrived == me.waited)
    block.abandon(cudaErrorLaunchFailure, hazard_kind::divergent_barrier,
                  "waits at the barrier of its cluster without having arrived there");
  while (phase_ < me.arrived) block.park(pc);
  ++me.waited;
}

// A thread that has exited counts as one that has arrived.
void cluster::thread_ended(unsigned linear) {
  auto& one = user(linear);
  if (one.has_ended) return;
  one.has_ended = true;
  --living_;
  if (one.arrived <= phase_) one_less_is_missing();
}

distant_arrival cluster::arrival_now(unsigned phase, const void* pc) const {
  const unsigned thread = linear_index(threadIdx);
  return {phase, running_, thread, users_[running_ * threads_ + thread].releases, blockIdx, pc};
}

// An arrival takes a while. On an H200 a kernel whose blocks ended so failed once in a few hundred launches.
void cluster::report_unseen_arrivals() const {
  const auto block = blockIdx;
  for (const auto& one : block_runner::current().barriers().unseen()) {
    if (users_[one.rank * threads_ + one.thread].releases > one.releases) continue;
    blockIdx = one.block, threadIdx = index_of(one.thread);
    trace::misuses_block("arrives at a barrier of block " + std::to_string(running_) +
                             " of its cluster, which may have ended when the arrival comes: it does not wait for that "
                             "phase, and no barrier of the cluster that releases follows",
                         one.pc);
  }
  blockIdx = block;
}

void cluster::one_less_is_missing() {
  if (--missing_ > 0) return;
  trace::phase_ended();
  ++phase_;
  missing_ = living_;
  for (unsigned rank = 0; rank < all_.size(); ++rank) runner_of(rank).wake_parked();
}

}  // namespace lab::sim

using lab::sim::block_runner;
using lab::sim::cluster;

namespace lab_sim {

dim3 cluster_dim() {
  const cluster* const mine = block_runner::running().peers();
  return mine ? mine->dim() : dim3{1, 1, 1};
}

void cluster_arrive(place, bool releases) {
  if (cluster* const mine = block_runner::running().peers()) return mine->arrive(__builtin_return_address(0), releases);
}

void cluster_wait(place at) {
  if (cluster* const mine = block_runner::running().peers()) return mine->wait(__builtin_return_address(0));
  block_barrier(0, at);  // a cluster of one block
}

void* in_block_of_cluster(const void* shared, unsigned rank) {
  const void* const pc = __builtin_return_address(0);
  auto& block = block_runner::running();
  if (cluster* const mine = block.peers()) return mine->in_block(shared, rank, pc);
  if (rank != 0) {
    lab::sim::trace::at_cluster(pc);
    block.abandon(cudaErrorLaunchFailure, lab::sim::hazard_kind::out_of_bounds,
                  "asks for block " + std::to_string(rank) + " of its cluster, which has one");
  }
  return const_cast<void*>(shared);
}

unsigned rank_of_owner(const void* shared) {
  const cluster* const mine = block_runner::running().peers();
  return mine ? mine->place_of(const_cast<void*>(shared)).rank : 0;
}

}  // namespace lab_sim
