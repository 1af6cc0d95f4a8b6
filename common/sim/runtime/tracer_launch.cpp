#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "block.hpp"
#include "pending.hpp"
#include "symbols.hpp"
#include "tracer.hpp"
#include "variables.hpp"

// The tracer's view of launches, blocks and threads.

namespace lab::sim {

void tracer::launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  kernel_ = call.name;
  stream_ = where.stream;
  for (const auto& [begin, r] : regions_) r.read = r.written = false;
  pending::follow(stream_);
  dynamic_bytes_ = where.shared;
  find_shared_memory();
  program_ = program_variables();
  fenced_.clear();
  sites_.start_counting();
  launches_.push_back(
      {kernel_, where.grid, where.block, call.address ? symbol_of(call.address).static_shared : 0, where.shared});
  atomics_.clear();
  clock_.launch_start = ++clock_.now;
  tracing = this;
}

void tracer::launch_ends() {
  if (suspicion_.open) settle();
  flush();
  tracing = nullptr;
  find_busiest();
  lend_to_device();
  for (const auto& s : sites_.all())
    if (s.requests > 0) launches_.back().sites.push_back(s);
}

// What the host can reach, too, is the kernel's until the host waits for it.
void tracer::lend_to_device() {
  for (const auto& [begin, r] : regions_)
    if (r.host_writes && r.serial > 0 && (r.read || r.written))
      pending::add(begin, r.bytes, r.written, stream_, "kernel " + kernel_);
}

bool tracer::used_in_last_launch(std::uintptr_t p, bool written) {
  const region* const r = region_of(p);
  if (!r) return false;
  const shadow_cell& c = r->cells[(p - r->begin) / 4];
  if (c.interval < clock_.launch_start) return false;
  return c.writer != 0 || c.atomic != 0 || (!written && (c.reader_block != 0 || c.reader2_block != 0));
}

void tracer::find_busiest() {
  const auto rank = [](const auto& entry) { return std::pair{entry.second, ~entry.first}; };
  const auto most = std::ranges::max_element(atomics_, {}, rank);
  if (most == atomics_.end()) return;
  launches_.back().busiest = location(most->first);
  launches_.back().busiest_atomics = most->second;
}

void tracer::grids_blocks_met() {
  clock_.launch_start = ++clock_.now;
  ++launches_.back().grid_barriers;
}

void tracer::block_begins(std::uint64_t number) {
  block_ = static_cast<std::uint32_t>(number);
  block_used_atomics_ = false;
  clock_.block_start = ++clock_.now;
  std::ranges::fill(clock_.warp, 0u);
}

void tracer::exchange_block(block_trace& other) {
  next_interval();
  if (other.shared.empty()) {
    other.shared = shared_;
    for (auto& s : other.shared) s.cells.assign(s.cells.size(), shadow_cell{});
  }
  std::swap(shared_, other.shared);
  std::swap(places_, other.places);
  std::swap(block_, other.number);
  std::swap(clock_.block_start, other.start);
  std::swap(block_used_atomics_, other.used_atomics);
  here_ = &places_[thread_];
}

void tracer::flush() {
  for (auto& log : logs_) log.flush(sites_);
}

void tracer::goes_on(unsigned linear, bool starts) {
  thread_ = linear;
  here_ = &places_[linear];
  if (starts) here_->restart();
}

void tracer::next_interval() {
  if (suspicion_.open) settle();
  settle_early_reads();
  flush();
  ++clock_.now;
}

void tracer::report_leaks() {
  for (const auto& [begin, r] : regions_)
    if (r.serial > 0)
      report({hazard_kind::leak,
              severity::warning,
              "",
              "global",
              "allocation " + std::to_string(r.serial) + " (" + std::to_string(r.bytes) + " bytes) is never freed",
              r.made_at,
              nullptr,
              dim3(0, 0, 0),
              {}});
}

void tracer::forget() {
  hazards_.clear();
  launches_.clear();
}

namespace trace {

namespace {

bool on = false;
thread_local const void* allocating_at = nullptr;

shadow_cell* fresh_cells(std::size_t bytes) {
  const std::size_t size = (bytes / 4 + 2) * sizeof(shadow_cell);
  void* const cells = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc{};
  return static_cast<shadow_cell*>(cells);
}

}  // namespace

bool enabled() { return on; }

void allocating(const void* pc) { allocating_at = pc; }

void allocated(std::uintptr_t begin, std::size_t bytes, unsigned serial, bool host_writes) {
  if (on)
    tracer::the().add_region({begin, bytes, serial, host_writes, space::global, fresh_cells(bytes), allocating_at});
}

void declared(std::uintptr_t begin, std::size_t bytes, bool constant, bool has_values) {
  const space where = constant ? space::constant : space::global;
  if (on) tracer::the().add_region({begin, bytes, 0, has_values, where, fresh_cells(bytes), nullptr});
}

void freed(std::uintptr_t begin) {
  if (on) tracer::the().drop_region(begin);
}

void wrote(const void* p, std::size_t bytes) {
  if (on) tracer::the().give_values(reinterpret_cast<std::uintptr_t>(p), bytes);
}

void copied(const void* to, const void*, std::size_t bytes) { wrote(to, bytes); }

void launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  tracer::the().launch_begins(where, call);
}
void launch_ends() { tracer::the().launch_ends(); }
void block_begins(std::uint64_t number) { tracer::the().block_begins(number); }
void block_ends() { tracer::the().next_interval(); }
void grids_blocks_met() {
  if (tracing) tracing->grids_blocks_met();
}
void exchange_block(std::shared_ptr<block_trace>& other) {
  if (!tracing) return;
  if (!other) other = std::make_shared<block_trace>();
  tracer::the().exchange_block(*other);
}
void thread_starts(unsigned linear) {
  if (tracing) tracing->goes_on(linear, true);
}
void thread_goes_on(unsigned linear) {
  if (tracing) tracing->goes_on(linear, false);
}
void block_met(bool counts) {
  if (tracing) tracing->block_met(counts);
}
void warp_met(unsigned warp) {
  if (tracing) tracing->warp_met(warp);
}
void fenced() {
  if (tracing) tracing->fenced();
}

void at(const void* pc) {
  if (tracing) tracing->at(pc);
}

void diverged(const void* pc, const void* other_pc, const uint3& thread) {
  if (!tracing || pc == other_pc) return;
  const std::string what =
      "threads of one block wait at different barriers; every thread of a block must come to the same one";
  tracer::the().report({hazard_kind::divergent_barrier, severity::error, block_runner::mine().call()->name, "", what,
                        pc, other_pc, blockIdx, thread});
}

void stopped(hazard_kind kind, const std::string& what) {
  if (tracing) tracing->stopped(kind, what);
}

void refused(const char* kernel, const std::string& why, const void* pc) {
  if (on)
    tracer::the().report({hazard_kind::launch_error, severity::error, kernel, "", why, pc, nullptr, dim3(0, 0, 0), {}});
}

void host_touched(const void* pc, const std::string& what) {
  if (!on) return;
  tracer::the().report(
      {hazard_kind::device_pointer, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
  tell_at_end();
}

bool used_by_device(std::uintptr_t p, const std::string& by, bool host_writes) {
  return by != "kernel " + tracer::the().last_kernel() || tracer::the().used_in_last_launch(p, !host_writes);
}

void not_synchronized(const void* pc, const std::string& what) {
  tracer::the().report(
      {hazard_kind::missing_synchronization, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
}

void host_used_variable(std::uintptr_t p, const void* pc) {
  const variable* const v = variable_at_or_before(p);
  if (!v || p - v->begin >= v->bytes || v->qualifier[2] == 'm') return;
  const std::string what = std::string{"host code uses the "} + v->qualifier + " variable " + v->name +
                           "; it reaches it only with cudaMemcpyToSymbol and cudaMemcpyFromSymbol";
  tracer::the().report(
      {hazard_kind::device_pointer, severity::error, "", "global", what, pc, nullptr, dim3(0, 0, 0), {}});
}

void forget() { tracer::the().forget(); }

void enable() { on = true; }

}  // namespace trace

}  // namespace lab::sim
