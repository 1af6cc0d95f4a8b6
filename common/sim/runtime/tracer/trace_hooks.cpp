#include "sim/runtime/hooks/trace_hooks.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <new>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/memory/device_variables.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// Passes what the runtime tells on to the tracer.

namespace lab::sim::trace {

namespace {

bool on = false;
thread_local const void* allocating_at = nullptr;
std::recursive_mutex listening;

shadow_cell* fresh_cells(std::size_t bytes) {
  const std::size_t size = (bytes / 4 + 2) * sizeof(shadow_cell);
  void* const cells = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc{};
  madvise(cells, size, MADV_HUGEPAGE);  // eleven times as large as the memory, so most page faults are here
  return static_cast<shadow_cell*>(cells);
}

}  // namespace

bool enabled() { return on; }
bool checks() { return on && tracer::instance().checks(); }

alone::alone() {
  if (on) listening.lock();
}
alone::~alone() {
  if (on) listening.unlock();
}

bool leaks_wanted() {
  const char* const wanted = std::getenv("LAB_SIM_LEAKS");
  if (!wanted) return false;
  const bool always = wanted == std::string_view{"always"};
  return always || (*wanted == '1' && !tracer::instance().has_stopped());
}

void allocating(const void* pc) { allocating_at = pc; }

void allocated(std::uintptr_t begin, std::size_t bytes, unsigned serial, bool host_writes) {
  if (!on) return;
  const alone now;
  tracer::instance().add_region({begin, bytes, serial, host_writes, space::global, fresh_cells(bytes), allocating_at});
  if (host_writes) tracer::instance().copies.host_memory += bytes;
}

void declared(std::uintptr_t begin, std::size_t bytes, bool constant, bool has_values) {
  const alone now;
  const space where = constant ? space::constant : space::global;
  if (on) tracer::instance().add_region({begin, bytes, 0, has_values, where, fresh_cells(bytes), nullptr});
}

void freed(std::uintptr_t begin) {
  const alone now;
  if (on) tracer::instance().drop_region(begin);
}

void freed_in_vain(const void* pointer) {
  const alone now;
  if (on) tracer::instance().freed_in_vain(reinterpret_cast<std::uintptr_t>(pointer));
}

void wrote(const void* pointer, std::size_t bytes, const void* pc) {
  const alone now;
  if (on) tracer::instance().moved(reinterpret_cast<std::uintptr_t>(pointer), bytes, operation::store, pc);
}

void read(const void* pointer, std::size_t bytes, const void* pc) {
  const alone now;
  if (on) tracer::instance().moved(reinterpret_cast<std::uintptr_t>(pointer), bytes, operation::load, pc);
}

void copied_to_host(std::size_t bytes) {
  const alone now;
  tracer::instance().copies.to_host += bytes;
}
void written_by_copy(std::size_t bytes) {
  const alone now;
  tracer::instance().copies.written += bytes;
}

bool launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  return tracer::instance().launch_begins(where, call);
}
void launch_ends() { tracer::instance().launch_ends(); }
void block_begins(std::uint64_t number) { tracer::instance().block_begins(number); }
void block_ends() { tracer::instance().block_ends(); }
bool blocks_are_alike() { return tracer::instance().blocks_are_alike(); }
void grid_synchronized() {
  if (tracing) tracing->grid_synchronized();
}
void exchange_block(std::shared_ptr<block_trace>& other) {
  if (!tracing) return;
  if (!other) other = std::make_shared<block_trace>();
  tracer::instance().exchange_block(*other);
}
void thread_starts(unsigned linear) {
  if (tracing) tracing->continues_with(linear, true);
}
void thread_continues(unsigned linear) {
  if (tracing) tracing->continues_with(linear, false);
}
void block_synchronized(bool counts) {
  if (tracing) tracing->block_synchronized(counts);
}
void warp_synchronized(unsigned warp) {
  if (tracing) tracing->warp_synchronized(warp);
}
void fenced() {
  if (tracing) tracing->fenced();
}

void accessed(unsigned thread, const void* memory, unsigned bytes, bool writes, const void* pc) {
  if (!tracing) return;
  threadIdx = index_of(thread);
  tracing->continues_with(thread, false);
  tracing->access(reinterpret_cast<std::uintptr_t>(memory), bytes, writes ? operation::store : operation::load, pc);
}

void touched(const void* memory, unsigned bytes, bool writes, const void* pc) {
  if (tracing)
    tracing->access(reinterpret_cast<std::uintptr_t>(memory), bytes, writes ? operation::store : operation::load, pc);
}

void copy_begins(const void* to, const void* from, unsigned bytes, unsigned zeros, const void* pc) {
  if (tracing)
    tracing->copy_begins(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes, zeros,
                         pc);
}
void copy_arrives(const void* to, unsigned bytes, const void* pc) {
  if (tracing) tracing->copy_arrives(reinterpret_cast<std::uintptr_t>(to), bytes, pc);
}

void box_begins(const void* to, unsigned bytes, const void* pc) {
  if (tracing) tracing->box_begins(reinterpret_cast<std::uintptr_t>(to), bytes, pc);
}
void box_arrives(const void* to, unsigned bytes) {
  if (tracing) tracing->box_arrives(reinterpret_cast<std::uintptr_t>(to), bytes);
}
void box_reads(const void* from, unsigned bytes, const void* pc) {
  if (tracing) tracing->box_reads(reinterpret_cast<std::uintptr_t>(from), bytes, pc);
}
void product_reads(const void* memory, const void* pc) {
  if (tracing) tracing->product_reads(reinterpret_cast<std::uintptr_t>(memory), pc);
}
void product_is_done_with(const void* memory) {
  if (tracing) tracing->product_is_done_with(reinterpret_cast<std::uintptr_t>(memory));
}
void multiplied() {
  if (tracing) tracing->multiplied();
}
void proxies_fenced() {
  if (tracing) tracing->proxies_fenced();
}
void phase_ended() {
  if (tracing) tracing->next_interval();
}
std::uint64_t interval() { return tracing ? tracing->interval() : 0; }
void not_ordered(const char* what, const void* pc, const void* other_pc) {
  if (tracing) tracing->not_ordered(what, pc, other_pc);
}

void misuses_block(const std::string& how, const void* pc) {
  if (tracing) tracing->misuses_block(how, pc);
}

void at(const void* pc) {
  if (tracing) tracing->at(pc);
}

void at_wait(const void* pc) {
  if (tracing) tracing->at(pc, engines);
}
void at_cluster(const void* pc) {
  if (tracing) tracing->at(pc, clusters);
}
void at_barrier(const void* pc) {
  if (tracing) tracing->at_barrier(pc);
}

void stopped(hazard_kind kind, const std::string& what) {
  if (tracing) tracing->stopped(kind, what);
}

// A program may ask for memory until it gets some.
void refused(const char* kernel, const char* about, const std::string& why, const void* pc) {
  if (!on) return;
  const alone now;
  const auto level = about == std::string_view{"allocations"} ? severity::warning : severity::error;
  tracer::instance().report({hazard_kind::launch_error, level, kernel, about, why, pc, nullptr, dim3(0, 0, 0), {}});
}

void host_used_device_memory(const void* pc, const std::string& what) {
  if (!on) return;
  tracer::instance().report(
      {hazard_kind::device_pointer, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
  report_at_end();
}

bool used_by_device(std::uintptr_t address, const std::string& by, bool host_writes) {
  return by != "kernel " + tracer::instance().last_kernel() ||
         tracer::instance().used_in_last_launch(address, !host_writes);
}

bool atomic_for_host_and_device(std::uintptr_t address) {
  return tracer::instance().atomic_for_host_and_device(address);
}

bool finds_more_faults() { return !has_refused() && !tracer::instance().host_sees_memory(); }

void resetting() {
  if (!on) return;
  if (leaks_wanted()) tracer::instance().report_leaks(true);
  tracer::instance().starts_anew();
}

void not_synchronized(const void* pc, const std::string& what) {
  const alone now;
  tracer::instance().report(
      {hazard_kind::missing_synchronization, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
}

void host_used_variable(std::uintptr_t address, const void* pc) {
  const variable* const v = variable_at_or_before(address);
  if (!v || address - v->begin >= v->bytes || v->qualifier[2] == 'm') return;
  const std::string what = std::string{"host code uses the "} + v->qualifier + " variable " + v->name +
                           "; use cudaMemcpyToSymbol and cudaMemcpyFromSymbol";
  tracer::instance().report(
      {hazard_kind::device_pointer, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
}

void forget() { tracer::instance().forget(); }

void enable() {
  if (!on) report_at_abort();
  on = true;
}

}  // namespace lab::sim::trace
