#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/runtime/execution/block_turns.hpp"

namespace lab::sim {

/// Where part `number` is, counted along x first, of so many in each dimension: a block in its grid or cluster.
dim3 place_in(const dim3& size, std::uint64_t number);

/// The blocks of one cluster, which take turns on one OS thread. Each goes on until none of its threads can.
class cluster {
 public:
  cluster(const lab_sim::config& where, const lab_sim::kernel_call& call);

  /// How many clusters a grid has; 0 if its launch names none of several blocks.
  static std::uint64_t count(const lab_sim::config& where);

  /// Runs the blocks of the grid's cluster `number` to their ends. Returns false if one was abandoned.
  bool run(std::uint64_t number);

  // For the block that runs.
  const dim3& dim() const { return where_.cluster; }
  unsigned size() const { return static_cast<unsigned>(all_.size()); }
  unsigned rank() const { return running_; }
  /// The byte of another block's shared memory that corresponds to this one. Ends the kernel if there is no such block.
  void* in_block(const void* place, unsigned rank, const void* pc);
  block_runner& runner_of(unsigned rank);
  /// Why the running block may not use the shared memory of this block: it has not begun, or has ended. Empty if it
  /// may.
  std::string misuse_of(unsigned rank) const;
  bool has_ended(unsigned rank) const { return all_[rank].has_ended(); }

  /// A place in the shared memory of a block. `at`: what the block itself calls the place.
  struct shared_place {
    unsigned rank;
    void* at;
  };
  /// Where this address is: of another block if it lies in its memory, else of the one that runs.
  shared_place place_of(void* address) const;
  /// What the tracer knows of the block.
  block_trace* traced(unsigned rank) const { return all_[rank].traced.get(); }

  /// The running thread arrives at the cluster's barrier, or waits until all threads have arrived that have not exited.
  void arrive(const void* pc, bool releases);
  void wait(const void* pc);
  void thread_ended(unsigned linear);
  /// The running thread's arrival at a barrier of another block, in this phase.
  distant_arrival arrival_now(unsigned phase, const void* pc) const;
  /// The block that runs ends. Reports arrivals that may come later.
  void report_unseen_arrivals() const;

  /// Whether no block could go on in its last turn, so that none ever will.
  bool is_stuck() const { return stuck_; }
  /// Whether threads have looked many times for a value, and no other thread has moved meanwhile.
  bool looks_in_vain() const { return idle_rounds_ > 1000; }

 private:
  // How often a thread has come to the cluster's barrier and gone on.
  struct barrier_user {
    std::uint32_t arrived = 0, waited = 0, releases = 0;
    bool has_ended = false;
  };
  barrier_user& user(unsigned linear) { return users_[running_ * threads_ + linear]; }
  void begin(std::uint64_t number);
  void one_less_is_missing();

  const lab_sim::config& where_;
  const lab_sim::kernel_call& call_;
  unsigned threads_;  // of a block
  std::vector<block_turns> all_;
  unsigned running_ = 0;
  bool stuck_ = false;
  unsigned idle_rounds_ = 0;
  std::vector<barrier_user> users_;
  std::uint32_t phase_ = 0;               // of the barrier
  std::size_t missing_ = 0, living_ = 0;  // threads: that have not arrived in this phase, and that have not exited
};

}  // namespace lab::sim
