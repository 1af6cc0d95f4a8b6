#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab_sim/device.h"
#include "lab_sim/launch.h"
#include "sim/hazard_kinds.hpp"
#include "sim/runtime/execution/async_copies.hpp"
#include "sim/runtime/execution/fiber.hpp"
#include "sim/runtime/execution/mbarriers.hpp"
#include "sim/runtime/execution/part_barriers.hpp"

namespace lab::sim {

/// Bytes before and after dynamic shared memory that nothing else uses.
constexpr std::size_t dynamic_guard = 64 * 1024;

/// What the last of a warp's 32 lanes to arrive does for all: `lanes` holds what each lane passed.
using warp_operation = void (*)(void* const* lanes);

/// The lanes that have arrived at one warp operation, and their values.
struct rendezvous {
  unsigned mask = 0, arrived = 0;
  warp_operation operation = nullptr;  // null: the lanes only exchange their values
  const void *place = nullptr, *pc = nullptr;
  std::uint64_t words[32];
  fiber* waiting[32];
};

unsigned linear_index(const uint3& thread);
uint3 index_of(unsigned linear);

/// Why a block returned: it ended, was abandoned, all its threads wait for other blocks (of the grid or of the
/// cluster), or it must run again, so that its fault is that of one thread.
enum class block_state { ended, abandoned, at_grid_barrier, spinning, awaits_cluster, faulted_in_loops };

class cluster;

/// Runs blocks on one OS thread, one after another. Its fibers never leave that OS thread.
class block_runner {
 public:
  static block_runner& current();
  /// The same from inside a kernel.
  static block_runner& running() { return *running_now; }

  /// Runs the threads of block `index` until all have exited or wait for other blocks.
  block_state run(const lab_sim::kernel_call& call, const dim3& index);
  /// Continues the block that waited for others.
  block_state go_on();
  /// The blocks that this runner runs belong to clusters of several.
  void join(cluster& peers) { cluster_ = &peers; }
  cluster* peers() const { return cluster_; }
  /// Whether a thread has run since the block was last asked to go on.
  bool has_moved() const { return moved_; }
  /// Sets the order in which the threads of the next blocks start; for traced launches only.
  void set_thread_order(std::vector<unsigned> order) { order_ = std::move(order); }

  // Called by kernels, from a fiber.
  lab_sim::thread_source::next next_thread();
  /// Waits for all threads of the block that have not exited. Returns how many of them have a true predicate.
  int barrier(int predicate, const void* pc, bool of_grid = false);
  int quick_barrier(int predicate);
  bool is_quick() const { return source_.interleaved && !traced_ && !sanitized; }
  const std::uint64_t* meet(unsigned mask, std::uint64_t value);
  bool is_traced() const { return traced_; }
  unsigned lane() const {
    const bool known = source_.interleaved && !source_.in_loops;
    return (known ? current_->linear : linear_index(threadIdx)) % 32;
  }
  /// Waits until all 32 lanes of the warp have called this for the operation at the same place. The last one performs
  /// it.
  void together(warp_operation operation, void* mine, const void* place, const void* pc);
  /// Waits until no thread of the block can continue otherwise. Returns the lanes of the warp that wait at the same
  /// place.
  unsigned gather(const void* place);
  void grid_barrier(const void* pc);
  /// The running thread executes a return statement.
  void returns(const void* place) { returned_at_[linear_index(threadIdx)] = place; }
  void yield();
  async_copies& copies() { return copies_; }
  mbarriers& barriers() { return barriers_; }
  part_barriers& parts() { return parts_; }
  /// The products of its warpgroups, and the registers that its warps hold. The code that uses them makes them.
  std::shared_ptr<void>& products() { return products_; }
  std::shared_ptr<void>& registers() { return registers_; }
  /// Waits until another thread or a copy wakes all threads that wait so. May return early.
  void park(const void* pc);
  void wake_parked();
  /// Counts the blocks that this OS thread has begun.
  std::uint64_t serial() const { return serial_; }
  unsigned threads() const { return count_; }
  [[noreturn]] void abandon(cudaError_t error, hazard_kind kind, const std::string& what);
  /// Memory for the values that threads keep between the loops of a kernel.
  void* take_room(std::size_t bytes);
  void give_room_back(std::size_t bytes) { room_used_ -= bytes; }

  /// Abandons a block that waits for the grid although other blocks have ended. Not called from a fiber.
  void abandon_at_grid_barrier();

  bool inside() const { return call_ != nullptr; }
  const lab_sim::kernel_call* call() const { return call_; }
  /// Describes kernel, block and thread.
  std::string describe_thread() const;
  std::string describe_thread(const uint3& thread) const;

  /// Leaves the block for good, from any stack; no destructor runs.
  [[noreturn]] void leave(block_state why = block_state::abandoned);

 private:
  block_state run_once(const lab_sim::kernel_call& call, const dim3& index);
  static void enter();
  int jump(fiber* next, context& from);
  void switch_to(fiber* next);
  void interleave();
  void start_interleaving(unsigned linear);
  void await_threads_without_stacks(bool first_phase);
  void make_room_for_waiting();
  void thread_ended(unsigned linear);
  void wait();
  void suspend(block_state why);
  block_state come_back();
  [[noreturn]] void finish();
  fiber* next_runnable();
  fiber* next_to_run();
  bool takes_turns() const { return call_->cooperative || cluster_; }
  fiber* fresh();
  fiber* take_ready();
  static void fetch_ahead(fiber* const* next);
  bool many_are_ready() const { return ready_head_ + far_ahead < ready_.size(); }
  int go_on_quickly(fiber* me);
  int full_barrier(int predicate);
  void arrive(int predicate);
  void release_barrier();
  void release_gathered();
  void report_exited();
  rendezvous& meeting_of(std::size_t warp, unsigned mask, warp_operation operation, const void* place);
  const std::uint64_t* attend(rendezvous& meeting, std::uint64_t value);
  void complete(std::size_t warp, rendezvous& meeting);
  void perform(std::size_t warp, const rendezvous& meeting);
  void check_meetings(std::size_t warp);
  bool is_complete(std::size_t warp, const rendezvous& meeting) const;
  exchange* fresh_exchange();
  void forget_taken();
  bool barrier_ready() const { return arrived_ > 0 && next_ == count_ && arrived_ == live_; }
  unsigned lanes_of(std::size_t warp) const;
  [[noreturn]] void report_deadlock();
  void report_parked();

  async_copies copies_;
  mbarriers barriers_;
  part_barriers parts_;
  std::shared_ptr<void> products_, registers_;
  cluster* cluster_ = nullptr;
  bool moved_ = false;
  std::uint64_t serial_ = 0;
  fiber_pool pool_;
  fiber root_;
  fiber gone_;  // stores a context that is never resumed
  static __thread block_runner* running_now;
  fiber* current_ = nullptr;
  fiber* left_ = nullptr;  // the fiber that ran before the current one
  bool traced_ = false;
  const lab_sim::kernel_call* call_ = nullptr;
  lab_sim::thread_source source_;
  block_state state_ = block_state::ended;
  fiber* resume_at_ = nullptr;
  struct {
    cudaError_t error;
    hazard_kind kind;
    std::string what;
  } first_fault_{};  // in a loop over threads
  std::unique_ptr<char[]> room_;
  std::size_t room_used_ = 0;

  std::vector<unsigned> order_;  // in which traced threads start
  unsigned count_ = 0, next_ = 0, live_ = 0;
  uint3 next_index_{};       // of the thread that starts next, unless it is traced
  unsigned fresh_left_ = 0;  // threads that start at the beginning
  unsigned later_at_ = 0;    // the first that waits without a stack for the next phase
  std::unique_ptr<char[]> waiting_;
  std::vector<fiber*> ready_, at_barrier_, gathering_, spinning_, parked_;
  unsigned ready_head_ = 0, arrived_ = 0;  // arrived_: the first of at_barrier_ that count
  static constexpr unsigned far_ahead = 6;
  int barrier_count_ = 0, barrier_result_ = 0;
  unsigned idle_turns_ = 0;               // of spinning threads, while no other thread can run
  bool diverged_ = false;                 // some of its threads waited at different barriers
  bool of_grid_ = false;                  // the barrier is part of a grid barrier
  bool grid_has_synchronized_ = false;    // since this block's last grid barrier
  std::vector<unsigned> exited_;          // lanes of each warp
  std::vector<const void*> returned_at_;  // where each thread last executed a return statement, if it is traced
  std::vector<std::vector<rendezvous>> meetings_;
  std::vector<std::unique_ptr<exchange>> exchanges_;
  std::vector<exchange*> free_exchanges_;
};

// The stacks of a block's threads do not fit the first cache, so they are asked for before their turn.
inline void block_runner::fetch_ahead(fiber* const* next) {
  __builtin_prefetch(next[far_ahead]);
  const auto* const stack = static_cast<const char*>(next[far_ahead / 2]->goes_on);
  for (int line = 0; line < 4; ++line) __builtin_prefetch(stack + line * 64);
}

/// Continues the next thread that is ready, of many. Returns when another thread continues this one.
inline int block_runner::go_on_quickly(fiber* me) {
  fiber* const* const next = ready_.data() + ready_head_++;
  fetch_ahead(next);
  idle_turns_ = 0;
  left_ = me;
  current_ = *next;
  threadIdx = (*next)->index;
  return go_on_at((*next)->goes_on, me->goes_on, barrier_result_);
}

}  // namespace lab::sim
