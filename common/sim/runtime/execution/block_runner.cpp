#include "sim/runtime/execution/block_runner.hpp"

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/cluster.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
// Dynamic shared memory lies between two guard zones, so that a traced access before its start hits no other variable.
extern "C" {
__thread __attribute__((aligned(1024))) unsigned char lab_sim_guarded[lab::sim::dynamic_guard * 2 + 227 * 1024];
}
static_assert(lab::sim::dynamic_guard == 65536);
asm(".globl lab_sim_dynamic\n.type lab_sim_dynamic, @object\n.set lab_sim_dynamic, lab_sim_guarded + 65536\n"
    ".size lab_sim_dynamic, 232448");

namespace lab_sim {

__thread thread_source* threads_of_block = nullptr;

// Takes the next thread that waits without a stack, and returns its index.
struct thread_starter {
  static uint3 take_waiting(thread_source& source, unsigned& later_at) {
    source.taken_from_later_ = source.at == source.now.count;
    const auto& list = source.taken_from_later_ ? source.later : source.now;
    unsigned& at = source.taken_from_later_ ? later_at : source.at;
    source.taken_ = list.entries + std::size_t{list.bytes} * at++;
    return *reinterpret_cast<const uint3*>(source.taken_);
  }
};

void thread_source::go_on() {
  char* const entry = taken_;
  const auto run = taken_from_later_ ? later.run_one : now.run_one;
  if (taken_from_later_) block_barrier(0, place());
  run(entry);
}

}  // namespace lab_sim

namespace lab::sim {

__thread block_runner* block_runner::running_now __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constexpr unsigned no_thread = ~0u;

}  // namespace

unsigned linear_index(const uint3& thread) { return thread.x + blockDim.x * (thread.y + blockDim.y * thread.z); }

// The index of the thread that follows.
static void advance(uint3& index) {
  if (++index.x < blockDim.x) return;
  index.x = 0;
  if (++index.y < blockDim.y) return;
  index.y = 0;
  ++index.z;
}

uint3 index_of(unsigned linear) {
  const unsigned row = linear / blockDim.x;
  return {linear % blockDim.x, row % blockDim.y, row / blockDim.y};
}

block_runner& block_runner::current() {
  thread_local block_runner the;
  return the;
}

// Loops over threads do not tell which thread runs. After a fault, the block runs again thread by thread.
block_state block_runner::run(const lab_sim::kernel_call& call, const dim3& index) {
  source_.one_by_one = false;
  if (run_once(call, index) != block_state::faulted_in_loops) return state_;
  source_.one_by_one = true;
  if (run_once(call, index) == block_state::ended) {
    fail(first_fault_.error, first_fault_.kind, first_fault_.what);
    state_ = block_state::abandoned;
  }
  return state_;
}

block_state block_runner::run_once(const lab_sim::kernel_call& call, const dim3& index) {
  call_ = &call;
  traced_ = call.traced;
  running_now = this;
  lab_sim::threads_of_block = &source_;
  blockIdx = index;
  source_.started = source_.interleaved = source_.in_loops = false;
  room_used_ = 0;
  copies_.start_block();
  barriers_.start_block(index.x + 65536ul * index.y);
  parts_.start_block();
  ++serial_;
  source_.now.count = source_.later.count = source_.at = 0;
  source_.without_stacks = !call.traced && !takes_turns();
  if (source_.without_stacks) make_room_for_waiting();
  count_ = blockDim.x * blockDim.y * blockDim.z;
  current_ = &root_;
  fiber* const first = fresh();
  first->linear = no_thread;
  if (call.traced) start_interleaving(0);
  state_ = block_state::ended;
  moved_ = true;
  switch_to(first);
  return come_back();
}

void block_runner::make_room_for_waiting() {
  constexpr std::size_t half = std::size_t{1024} * lab_sim::most_waiting_bytes;
  if (waiting_) return;
  waiting_.reset(new char[2 * half]);
  source_.now.entries = waiting_.get();
  source_.later.entries = waiting_.get() + half;
}

block_state block_runner::go_on() {
  state_ = block_state::ended;
  moved_ = false;
  switch_to(resume_at_);
  return come_back();
}

block_state block_runner::come_back() {
  const bool left = state_ == block_state::abandoned || state_ == block_state::faulted_in_loops;
  if (state_ == block_state::ended || left) call_ = nullptr;
  if (left) pool_.take_all_back();
  return state_;
}

// Leaves the block as it is. go_on() continues with this thread.
void block_runner::suspend(block_state why) {
  state_ = why;
  resume_at_ = current_;
  switch_to(&root_);
}

void block_runner::enter() {
  block_runner& self = *running_now;
  after_switch({}, self.left_ == &self.root_ ? &self.root_.stack : nullptr);
  self.call_->threads(self.call_->body, self.source_);
  self.finish();
}

fiber* block_runner::fresh() {
  fiber* const f = pool_.take();
  forget_frames(f->stack);
  f->stack.fake_stack = nullptr;
  f->goes_on = nullptr;
  f->shared = nullptr;
  return f;
}

// A fiber that has not begun has no context.
inline int block_runner::jump(fiber* next, context& from) {
  threadIdx = next->index;
  return next->goes_on ? go_on_at(next->goes_on, from, barrier_result_)
                       : begin_at(next->stack_top, &block_runner::enter, from);
}

// A barrier between threads that have met one before, without a tracer. Nothing remains to do when the thread goes on,
// so its stack holds no frame but the kernel's. Most threads take the short way, which needs no register of the kernel.
int block_runner::quick_barrier(int predicate) {
  fiber* const me = current_;
  if (!many_are_ready() || arrived_ + 1 >= live_) [[unlikely]]
    return full_barrier(predicate);
  barrier_count_ += predicate != 0;
  at_barrier_[arrived_++] = me;
  return go_on_quickly(me);
}

__attribute__((noinline)) int block_runner::full_barrier(int predicate) {
  of_grid_ = false;
  fiber* const me = current_;
  arrive(predicate);
  fiber* const next = next_to_run();
  if (next == me) return barrier_result_;
  current_ = next;
  left_ = me;
  return jump(next, me->goes_on);
}

inline void block_runner::switch_to(fiber* next) {
  fiber* const from = current_;
  left_ = from;
  current_ = next;
  before_switch(&from->stack, next->stack);
  jump(next, from->goes_on);
  after_switch(from->stack);
}

// Until now the threads ran one after another on one fiber: earlier threads have exited, later ones have not started.
void block_runner::interleave() {
  if (source_.interleaved) return;
  if (source_.in_loops)
    abandon(cudaErrorLaunchFailure, hazard_kind::launch_error,
            "waits for other threads in code that labcc could not see; compile the program with --no-thread-loops");
  const unsigned linear = linear_index(threadIdx);
  const bool first_phase = source_.now.count == 0;
  start_interleaving(first_phase ? linear : count_);
  if (first_phase) --fresh_left_, ++next_;
  next_index_ = threadIdx;
  advance(next_index_);
  if (!first_phase || source_.later.count > 0) await_threads_without_stacks(first_phase);
  current_->index = threadIdx;
  current_->linear = linear;
}

// Threads that wait without a stack have not exited. Each gets a stack when it goes on.
void block_runner::await_threads_without_stacks(bool first_phase) {
  later_at_ = 0;
  const auto lives = [&](const uint3& index) {
    const unsigned linear = linear_index(index);
    exited_[linear / 32] &= ~(1u << linear % 32);
    ++live_;
  };
  const auto live = [&](const lab_sim::waiting_threads& list, unsigned from) {
    for (unsigned i = from; i < list.count; ++i, --next_)
      lives(*reinterpret_cast<const uint3*>(list.entries + std::size_t{list.bytes} * i));
  };
  if (!first_phase) {
    lives(threadIdx);
    live(source_.now, source_.at);
  }
  live(source_.later, 0);
}

// Threads before `linear` have exited.
void block_runner::start_interleaving(unsigned linear) {
  source_.started = source_.interleaved = true;
  const unsigned warps = (count_ + 31) / 32;
  next_ = linear;
  next_index_ = {};
  live_ = fresh_left_ = count_ - linear;
  ready_.clear();
  ready_head_ = 0;
  if (at_barrier_.size() < count_) at_barrier_.resize(count_);
  arrived_ = 0;
  gathering_.clear();
  spinning_.clear();
  parked_.clear();
  idle_turns_ = 0;
  barrier_count_ = 0;
  diverged_ = false;
  exited_.assign(warps, 0);
  if (traced_) returned_at_.assign(count_, nullptr);
  if (meetings_.size() < warps) meetings_.resize(warps);
  for (auto& m : meetings_) m.clear();
  free_exchanges_.clear();
  for (const auto& e : exchanges_) free_exchanges_.push_back(e.get());
  for (unsigned w = 0; w < warps && w <= linear / 32; ++w) exited_[w] = w < linear / 32 ? ~0u : (1u << linear % 32) - 1;
  for (unsigned i = 0; i < linear && cluster_; ++i) cluster_->thread_ended(i);
}

lab_sim::thread_source::next block_runner::next_thread() {
  if (!source_.started) start_interleaving(0);  // a kernel that is counted
  thread_ended(current_->linear);
  if (next_ == count_) return lab_sim::thread_source::next::none;
  ++next_;
  fiber& me = *current_;
  if (fresh_left_ == 0) {
    me.index = threadIdx = lab_sim::thread_starter::take_waiting(source_, later_at_);
    me.linear = linear_index(threadIdx);
    return lab_sim::thread_source::next::goes_on;
  }
  --fresh_left_;
  if (traced_) {
    me.linear = order_[next_ - 1];
    me.index = index_of(me.linear);
    trace::thread_starts(me.linear);
  } else {
    me.linear = linear_index(next_index_);
    me.index = next_index_;
    advance(next_index_);
  }
  threadIdx = me.index;
  return lab_sim::thread_source::next::from_the_start;
}

void block_runner::thread_ended(unsigned linear) {
  if (linear == no_thread) return;
  current_->linear = no_thread;
  --live_;
  exited_[linear / 32] |= 1u << linear % 32;
  if (!meetings_[linear / 32].empty()) check_meetings(linear / 32);
  if (cluster_) cluster_->thread_ended(linear);
  if (barrier_ready()) release_barrier();
}

fiber* block_runner::take_ready() {
  if (ready_head_ == ready_.size()) return nullptr;
  idle_turns_ = 0;
  fiber* const f = ready_[ready_head_++];
  if (ready_head_ == ready_.size())
    ready_.clear(), ready_head_ = 0;
  else if (ready_head_ + far_ahead < ready_.size())
    fetch_ahead(ready_.data() + ready_head_);
  return f;
}

// Spinning threads come last, because they wait for other threads.
fiber* block_runner::next_runnable() {
  if (fiber* const f = take_ready()) return f;
  if (next_ < count_) {
    idle_turns_ = 0;
    fiber* const f = fresh();
    f->linear = no_thread;
    return f;
  }
  if (!gathering_.empty()) return release_gathered(), take_ready();
  while (barriers_.has_pending())
    if (barriers_.land_one(copies_) && !parked_.empty()) return wake_parked(), take_ready();
  if (spinning_.empty()) return nullptr;
  fiber* const f = spinning_.front();
  spinning_.erase(spinning_.begin());
  return f;
}

// Where no thread can run, the other blocks of the cluster have their turns, until one of them lets a thread go on.
fiber* block_runner::next_to_run() {
  for (;;) {
    if (fiber* const next = next_runnable()) {
      moved_ = moved_ || idle_turns_ == 0;  // it does not spin
      return next;
    }
    if (!cluster_ || cluster_->is_stuck()) report_deadlock();
    suspend(block_state::awaits_cluster);
  }
}

void block_runner::wait() {
  fiber* const me = current_;
  fiber* const next = next_to_run();
  if (next != me) switch_to(next);
  threadIdx = me->index;
  if (traced_) trace::thread_continues(me->linear);
}

void block_runner::finish() {
  fiber* next = nullptr;
  if (source_.interleaved && live_ > 0) next = next_to_run();
  pool_.give_back(current_);
  left_ = current_;
  current_ = next ? next : &root_;
  before_switch(nullptr, current_->stack);
  jump(current_, gone_.goes_on);
  __builtin_unreachable();
}

void block_runner::leave(block_state why) {
  state_ = why;
  left_ = current_;
  current_ = &root_;
  before_switch(nullptr, root_.stack);
  jump(&root_, gone_.goes_on);
  __builtin_unreachable();
}

void block_runner::yield() {
  interleave();
  if (++idle_turns_ % (spinning_.size() + 1) == 0 && takes_turns()) {
    suspend(block_state::spinning);
    threadIdx = current_->index;
  }
  const bool in_vain = cluster_ ? cluster_->looks_in_vain() : !call_->cooperative && idle_turns_ > 100'000;
  if (call_->traced && in_vain)
    abandon(cudaErrorLaunchTimeout, hazard_kind::livelock, "waits for a value that no runnable thread will write");
  spinning_.push_back(current_);
  wait();
}

std::string block_runner::describe_thread(const uint3& thread) const {
  const auto text = [](const uint3& v) {
    return "(" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + ")";
  };
  return std::string{"kernel "} + (call_ ? call_->name : "?") + ", block " + text(blockIdx) + ", thread " +
         text(thread);
}

std::string block_runner::describe_thread() const { return describe_thread(threadIdx); }

void block_runner::abandon(cudaError_t error, hazard_kind kind, const std::string& what) {
  if (source_.in_loops && !source_.one_by_one) {
    first_fault_ = {error, kind, describe_thread() + ": " + what};
    leave(block_state::faulted_in_loops);
  }
  fail(error, kind, describe_thread() + ": " + what);
  trace::stopped(kind, what);
  leave();
}

void* block_runner::take_room(std::size_t bytes) {
  constexpr std::size_t most = std::size_t{16} << 20;
  constexpr std::size_t line = 64;
  if (!room_) room_.reset(new char[most + line]);
  if (bytes > most - room_used_)
    abandon(cudaErrorLaunchFailure, hazard_kind::launch_error,
            "keeps too many values between barriers; compile the program with --no-thread-loops");
  room_used_ += bytes;
  return room_.get() + line - reinterpret_cast<std::uintptr_t>(room_.get()) % line + room_used_ - bytes;
}

}  // namespace lab::sim

namespace lab_sim {

void* take_room(std::size_t bytes) { return lab::sim::block_runner::running().take_room(bytes); }
void give_room_back(std::size_t bytes) { lab::sim::block_runner::running().give_room_back(bytes); }
void too_many_threads() {
  lab::sim::block_runner::running().abandon(
      cudaErrorLaunchFailure, lab::sim::hazard_kind::launch_error,
      "a grid of 2^31 threads in x does not fit loops over its threads; compile the program with --no-thread-loops");
}
void divided_warps() {
  lab::sim::block_runner::running().abandon(
      cudaErrorLaunchFailure, lab::sim::hazard_kind::launch_error,
      "has rows of threads that are no whole warps; compile the program with --no-thread-loops");
}

}  // namespace lab_sim
