#include "sim/runtime/execution/block_runner.hpp"

#include "sim/runtime/errors/errors.hpp"
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

namespace lab::sim {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr std::size_t usable_stack = 100 * 1024;
constexpr unsigned no_thread = ~0u;

}  // namespace

unsigned linear_index(const uint3& thread) { return thread.x + blockDim.x * (thread.y + blockDim.y * thread.z); }

uint3 index_of(unsigned linear) {
  const unsigned row = linear / blockDim.x;
  return {linear % blockDim.x, row % blockDim.y, row / blockDim.y};
}

block_runner& block_runner::current() {
  thread_local block_runner the;
  return the;
}

block_state block_runner::run(const lab_sim::kernel_call& call, const dim3& index) {
  call_ = &call;
  blockIdx = index;
  source_ = {};
  count_ = blockDim.x * blockDim.y * blockDim.z;
  current_ = &root_;
  fiber* const first = fresh();
  first->linear = no_thread;
  if (call.traced) start_interleaving(0);
  state_ = block_state::ended;
  switch_to(first);
  return come_back();
}

block_state block_runner::go_on() {
  state_ = block_state::ended;
  switch_to(resume_at_);
  return come_back();
}

block_state block_runner::come_back() {
  if (state_ == block_state::ended || state_ == block_state::abandoned) call_ = nullptr;
  if (state_ == block_state::abandoned) pool_.take_all_back();
  return state_;
}

// Leaves the block as it is. go_on() continues with this thread.
void block_runner::suspend(block_state why) {
  state_ = why;
  resume_at_ = current_;
  switch_to(&root_);
}

void block_runner::enter(transfer_t from) {
  *static_cast<boost::context::detail::fcontext_t*>(from.data) = from.fctx;
  block_runner& self = current();
  after_switch({}, from.data == &self.root_.context ? &self.root_.stack : nullptr);
  self.call_->threads(self.call_->body, self.source_);
  self.finish();
}

fiber* block_runner::fresh() {
  fiber* const f = pool_.take();
  forget_frames(f->stack);
  f->stack.fake_stack = nullptr;
  f->context = make_fcontext(f->stack_top, usable_stack, &block_runner::enter);
  return f;
}

void block_runner::switch_to(fiber* next) {
  fiber* const from = current_;
  current_ = next;
  before_switch(&from->stack, next->stack);
  const transfer_t back = jump_fcontext(next->context, &from->context);
  after_switch(from->stack);
  *static_cast<boost::context::detail::fcontext_t*>(back.data) = back.fctx;
}

// Until now the threads ran one after another on one fiber: earlier threads have exited, later ones have not started.
void block_runner::interleave() {
  if (source_.interleaved) return;
  const unsigned linear = linear_index(threadIdx);
  start_interleaving(linear);
  next_ = linear + 1;
  current_->index = threadIdx;
  current_->linear = linear;
}

// Threads before `linear` have exited.
void block_runner::start_interleaving(unsigned linear) {
  source_.started = source_.interleaved = true;
  const unsigned warps = (count_ + 31) / 32;
  next_ = linear;
  live_ = count_ - linear;
  ready_.clear();
  ready_head_ = 0;
  at_barrier_.clear();
  gathering_.clear();
  spinning_.clear();
  idle_turns_ = 0;
  barrier_count_ = 0;
  diverged_ = false;
  exited_.assign(warps, 0);
  if (call_->traced) returned_at_.assign(count_, nullptr);
  if (meetings_.size() < warps) meetings_.resize(warps);
  for (auto& m : meetings_) m.clear();
  for (unsigned w = 0; w <= linear / 32; ++w) exited_[w] = w < linear / 32 ? ~0u : (1u << linear % 32) - 1;
}

bool block_runner::next_thread(lab_sim::thread_source&) {
  thread_ended(current_->linear);
  if (next_ == count_) return false;
  current_->linear = call_->traced ? order_[next_] : next_;
  ++next_;
  current_->index = threadIdx = index_of(current_->linear);
  trace::thread_starts(current_->linear);
  return true;
}

void block_runner::thread_ended(unsigned linear) {
  if (linear == no_thread) return;
  current_->linear = no_thread;
  --live_;
  exited_[linear / 32] |= 1u << linear % 32;
  check_meetings(linear / 32);
  if (barrier_ready()) release_barrier();
}

fiber* block_runner::take_ready() {
  if (ready_head_ == ready_.size()) return nullptr;
  idle_turns_ = 0;
  fiber* const f = ready_[ready_head_++];
  if (ready_head_ == ready_.size()) ready_.clear(), ready_head_ = 0;
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
  if (spinning_.empty()) return nullptr;
  fiber* const f = spinning_.front();
  spinning_.erase(spinning_.begin());
  return f;
}

void block_runner::wait() {
  fiber* const me = current_;
  fiber* const next = next_runnable();
  if (!next) report_deadlock();
  if (next != me) switch_to(next);
  threadIdx = me->index;
  trace::thread_continues(me->linear);
}

void block_runner::finish() {
  fiber* next = nullptr;
  if (source_.interleaved && live_ > 0) {
    next = next_runnable();
    if (!next) report_deadlock();
  }
  pool_.give_back(current_);
  current_ = next ? next : &root_;
  before_switch(nullptr, current_->stack);
  jump_fcontext(current_->context, &gone_.context);
  __builtin_unreachable();
}

void block_runner::leave() {
  state_ = block_state::abandoned;
  current_ = &root_;
  before_switch(nullptr, root_.stack);
  jump_fcontext(root_.context, &gone_.context);
  __builtin_unreachable();
}

void block_runner::yield() {
  interleave();
  if (++idle_turns_ % (spinning_.size() + 1) == 0 && call_->cooperative) {
    suspend(block_state::spinning);
    threadIdx = current_->index;
  }
  if (call_->traced && !call_->cooperative && idle_turns_ > 100'000)
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
  fail(error, kind, describe_thread() + ": " + what);
  trace::stopped(kind, what);
  leave();
}

}  // namespace lab::sim
