#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/runtime/hazards/access_history.hpp"
#include "sim/runtime/hazards/hazard_list.hpp"
#include "sim/runtime/hazards/shadow_memory.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/symbols/program_memory.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"
#include "sim/runtime/traffic/block_counts.hpp"
#include "sim/runtime/traffic/call_path.hpp"
#include "sim/runtime/traffic/footprint.hpp"
#include "sim/runtime/traffic/warp_log.hpp"

namespace lab::sim {

/// In place of a memory: a hazard of copy engines and tensor cores, which has a text of its own.
constexpr const char *engines = "asynchronous", *clusters = "clusters";

/// A barrier's place in the source; `repeated` as for a site.
struct barrier_place {
  const void* pc;
  bool repeated;
};

/// The counters of one launch, for the report.
struct launch_record {
  std::string kernel;
  dim3 grid, block;
  std::size_t static_shared = 0, dynamic_shared = 0;
  std::vector<site> sites = {};
  std::vector<barrier_place> barriers = {};
  std::uint64_t block_barriers = 0, warp_barriers = 0, grid_barriers = 0;
  std::string busiest = {};  // the address in global memory with the most atomics
  std::uint64_t busiest_atomics = 0;
  std::uint64_t busiest_slice_atomics = 0;  // in 512 bytes, which one slice of L2 holds
  std::uint64_t in_order = 0;               // the launch as an operation in its stream
  std::uint64_t concurrent = 1;  // this launch, and the earlier ones that no stream, event or wait orders before it
  std::uint64_t blocks_run = 0;  // fewer than the grid has with LAB_SIM_SAMPLE
  std::uint64_t box_bytes = 0;   // read by the copy engine (TMA), for no warp's request
  std::uint64_t matrix_products = 0;  // of warps on tensor cores
  std::vector<footprint> memory = {};
};

/// An allocation or variable with its shadow memory, of which the system allocates only the pages that are used.
struct region {
  std::uintptr_t begin;
  std::size_t bytes;
  unsigned serial;
  bool host_writes;
  space where;
  shadow_cell* cells;
  const void* made_at;                         // in host code
  mutable bool read = false, written = false;  // in this launch
  mutable byte_cells bytes_cells = {};
  mutable sector_notes notes = {};  // only with LAB_SIM_SAMPLE
};

struct shared_range {
  std::uintptr_t begin, end;
  std::size_t usable;  // bytes; fewer than the range if the launch asked for less
  const std::vector<shared_variable>* variables = nullptr;
  std::vector<shadow_cell> cells = {};
  byte_cells bytes_cells = {};
};

/// The shadow of the memory that an access hits.
struct shadow_view {
  shadow_cell* cells;
  std::size_t count;
  byte_cells& bytes;
  bool has_values;
};

class cluster;

/// A copy in flight to shared memory. Its cells have its number + 1 as their history.
struct copy_in_flight {
  std::uint32_t thread;
  const void* pc;
  std::uintptr_t to;
  unsigned bytes;
  bool of_box = false;
};

/// What copy engines and tensor cores do in the shared memory of one block.
struct engine_state {
  struct reading {
    unsigned count = 0;  // of products
    const void* pc = nullptr;
  };
  std::vector<copy_in_flight> copies;
  std::size_t arrived = 0;                               // of these
  std::unordered_map<std::uintptr_t, reading> products;  // that read these 16 bytes
  std::uint32_t proxies_fenced_at = 0;                   // the interval of the last fence
};

/// The state of the tracer for one block.
struct block_trace {
  std::vector<shared_range> shared;
  std::vector<call_path> paths = std::vector<call_path>(1024);
  std::uint32_t number = 0, start = 0;
  bool used_atomics = false;
  engine_state engines{};
};

/// What host code moved, in bytes, and the memory that it and kernels can both access.
struct copied_bytes {
  std::uint64_t to_host = 0, written = 0, host_memory = 0;
};

/// Receives every memory access of the traced kernels, which run on one OS thread.
class tracer {
 public:
  static tracer& instance();

  void access(std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  /// The same in a run that is not for coverage alone.
  void watched_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  bool only_coverage() const { return only_coverage_; }
  bool checks() const { return !sampled_; }
  /// An access in a run for coverage alone, which notes its place and neither checks nor counts it.
  void cover(std::uintptr_t address, operation op, const void* pc);
  /// `reads`: whether the result depends on the old value; `of_system`: the scope is host and device.
  void atomic(std::uintptr_t address, unsigned bytes, bool reads, bool of_system, const void* pc);
  /// The atomic access was a compare-and-swap.
  void compared(std::uintptr_t address, unsigned bytes, std::uint64_t expected);
  void range(std::uintptr_t address, std::size_t bytes, operation op, const void* pc);
  /// An object of this type is about to be accessed at a misaligned address.
  void misaligned_pointer(std::uintptr_t address, std::size_t alignment, const char* type, const void* pc);
  /// An asynchronous copy of the running thread to shared memory begins, or arrives.
  void copy_begins(std::uintptr_t to, std::uintptr_t from, unsigned bytes, unsigned zeros, const void* pc);
  void copy_arrives(std::uintptr_t to, unsigned bytes, const void* pc);
  /// What engines do in shared memory while threads go on.
  void box_reads(std::uintptr_t from, std::size_t bytes, const void* pc);
  void box_begins(std::uintptr_t to, unsigned bytes, const void* pc);
  void box_arrives(std::uintptr_t to, unsigned bytes);
  void product_reads(std::uintptr_t address, const void* pc);
  void product_is_done_with(std::uintptr_t address);
  void multiplied() { ++launches_.back().matrix_products; }
  void proxies_fenced() { engines_.proxies_fenced_at = clock_.now; }
  void not_ordered(const std::string& what, const void* pc, const void* other_pc);
  void misuses_block(const std::string& how, const void* pc);
  void block_ends();
  void at(const void* pc, const char* space = "global") { last_pc_ = pc, stopped_in_ = space; }
  void at_barrier(const void* pc);
  call_path& here() { return *path_; }
  void iterate(const void* pc) { path_->iterate(), count_down(pc); }

  void add_region(const region& area) { regions_[area.begin] = area; }
  void drop_region(std::uintptr_t begin);
  void freed_in_vain(std::uintptr_t begin) { freed_in_vain_.insert(begin); }
  bool used_in_last_launch(std::uintptr_t address, bool written);
  bool atomic_for_host_and_device(std::uintptr_t address);
  /// A copy or a fill accesses memory.
  void moved(std::uintptr_t address, std::size_t bytes, operation op, const void* pc);

  /// Swaps the state of the running block with the saved state of the block that runs next.
  void exchange_block(block_trace& other);
  void grid_synchronized();

  bool launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call);
  void launch_ends();
  void block_begins(std::uint64_t number);
  bool blocks_are_alike() const;
  void flush();
  void continues_with(unsigned linear, bool starts);
  void next_interval();
  std::uint64_t interval() const { return clock_.now; }
  void block_synchronized(bool counts) { next_interval(), launches_.back().block_barriers += counts; }
  void warp_synchronized(unsigned warp) { ++clock_.warp[warp], ++launches_.back().warp_barriers; }
  void fenced() { fenced_[block_] = true; }
  std::size_t report(hazard found);
  /// At a reset of the device, static variables keep nothing for the next call.
  void report_leaks(bool at_reset = false);
  std::size_t kept() const { return kept_; }
  bool host_sees_memory() const;
  void starts_anew() { has_stopped_ = false, freed_in_vain_.clear(); }
  void stopped(hazard_kind kind, const std::string& what);
  bool has_stopped() const { return has_stopped_; }

  const std::string& last_kernel() const { return kernel_; }
  const hazard_list& hazards() const { return hazards_; }
  const std::vector<launch_record>& launches() const { return launches_; }
  void forget();

  copied_bytes copies;

 private:
  tracer();
  // A write that conflicts with another write: harmless if it writes the value that is there already.
  struct suspicion {
    bool open = false;
    std::uintptr_t p;
    unsigned bytes;
    unsigned char before[16];
    std::size_t hazard;
  };

  // A read of bytes without a value: a race when another thread writes them before the next barrier.
  struct early_read {
    shadow_cell* cell;
    std::uint32_t thread;  // + 1
    bool atomic;
    hazard what;
  };

  // A plain read that races with an atomic access: harmless if the thread goes on with a compare-and-swap of what it
  // read, which fails if the value has changed.
  struct doubtful_read {
    std::uint32_t thread;  // + 1
    std::uintptr_t address;
    std::uint16_t site;
    std::uint64_t value;
    bool value_known;
    hazard what;
  };

  template <class F>
  void each_cell(std::uintptr_t address, unsigned bytes, F f);
  void meets_copy(shared_range& range, std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  void forget_copies();
  void meets_product(std::uintptr_t address, unsigned bytes, const void* pc);
  void doubt(doubtful_read one);
  void settle_doubtful_reads();
  void forget_own_read(std::uintptr_t address, unsigned bytes);
  void cover_other(std::uintptr_t address, operation op, const void* pc);
  void note_place(const void* pc, operation op, space where);
  void note_new_place(const void* pc, operation op, space where);
  const region* region_of(std::uintptr_t address);
  template <bool by_thread = true>  // or by the copy engine, whose reads are no requests of a warp
  void global_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  void shared_access(shared_range& range, std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  void other_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  void access_of_another(const cluster& peers, std::uintptr_t address, unsigned bytes, operation op, const void* pc);
  [[noreturn]] void beyond_dynamic(std::uintptr_t address, unsigned bytes);
  bool is_usual(shadow_cell* cells, bool has_values, std::uintptr_t offset, unsigned bytes, shadow_access access);
  bool begins_cell(shadow_cell& cell, bool has_values, shadow_access access);
  void check(const region& area, std::uintptr_t address, unsigned bytes, std::uint16_t site, operation op);
  void check(shared_range& range, std::uintptr_t address, unsigned bytes, std::uint16_t site, operation op);
  void check(shadow_view shadow, std::uintptr_t offset, std::uintptr_t address, unsigned bytes, shadow_access access);
  void check_cells(shadow_view shadow, std::uintptr_t offset, std::uintptr_t address, unsigned bytes,
                   shadow_access access);
  bool check_cell(shadow_cell& cell, shadow_cell& whole, shadow_access access, std::uintptr_t address, unsigned bytes,
                  bool raced);
  bool check_bytes(shadow_cell& whole, shadow_cell* parts, shadow_access access, std::uintptr_t address, unsigned bytes,
                   bool raced);
  void without_value(shadow_cell& cell, std::uintptr_t address, operation op, std::uint16_t at);
  bool follow_streams(shadow_cell& cell, shadow_access access, std::uintptr_t address, unsigned bytes);
  bool extend_history(shadow_cell& cell, shadow_access access, std::uintptr_t address, unsigned bytes);
  void stream_race(const past_access& other, shadow_access access, std::uintptr_t address, unsigned bytes);
  void race(conflict found, std::uintptr_t address, unsigned bytes, operation op, std::uint16_t at);
  void suspect(std::size_t hazard, std::uintptr_t address, unsigned bytes, operation op);
  void settle();
  void settle_early_reads();
  [[noreturn]] void outside(const region* area, std::uintptr_t address, unsigned bytes, const void* pc);
  [[noreturn]] void constant_write(std::uintptr_t address);
  [[noreturn]] void stray_variable(std::uintptr_t address, unsigned bytes);
  [[noreturn]] void stray(std::uintptr_t address, unsigned bytes, const void* pc);
  [[noreturn]] void misaligned(std::uintptr_t address, unsigned bytes);
  void find_shared_memory();
  bool is_of_compiler(std::uintptr_t address) const;
  std::string location(std::uintptr_t address) const;
  void compare_block();
  void find_busiest();
  void mark_in_flight();
  LAB_INLINED void log(std::uint16_t site, std::uintptr_t address, unsigned bytes) {
    log_->add(thread_ % 32, site, *path_, address, bytes);
  }

  // Ends a kernel that runs longer than LAB_SIM_LIMIT seconds, and keeps the log of a thread short that is alone in its
  // warp. Once in many loop iterations and blocks.
  void count_down(const void* pc) {
    if (++steps_ % 1024 != 0) return;
    if (limited_) end_if_overdue(pc);
    if (thread_ % 32 == 0 && threads_ == thread_ + 1) logs_[thread_ / 32].flush(sites_, sampled_);
  }
  void end_if_overdue(const void* pc);

  const bool only_coverage_, sampled_;
  const double limit_s_;
  const bool limited_ = limit_s_ > 0;
  std::uint64_t steps_ = 0;
  unsigned threads_ = 0;  // of a block
  std::chrono::steady_clock::time_point launched_at_{};
  std::map<std::uintptr_t, region> regions_;
  const region* last_region_ = nullptr;
  std::vector<shared_range> shared_;
  std::vector<memory_range> program_;  // all variables of the programs
  site_table sites_;
  std::vector<warp_log> logs_ = std::vector<warp_log>(32);
  std::vector<call_path> paths_ = std::vector<call_path>(1024);
  unsigned thread_ = 0;
  call_path* path_ = &paths_[0];  // of this thread
  warp_log* log_ = &logs_[0];     // of its warp
  std::uint32_t block_ = 0;
  interval_clock clock_;
  std::unordered_map<std::uint32_t, bool> fenced_;
  block_counts block_counts_;                                                 // of a sample
  bool block_used_atomics_ = false, overwrites_ = false, of_system_ = false;  // the last two: of the atomic access
  std::unordered_map<std::uintptr_t, std::uint64_t> atomics_;  // of this launch, by address in global memory
  suspicion suspicion_;
  std::vector<early_read> early_reads_;
  std::vector<doubtful_read> doubtful_reads_;
  engine_state engines_;                    // of the running block
  std::set<std::uint16_t> compared_later_;  // sites of plain reads at the head of loops of compare-and-swap
  const void* last_pc_ = nullptr;
  const char* stopped_in_ = "global";  // the memory of the access at which the kernel stops
  std::string kernel_;
  access_histories histories_;
  bool has_stopped_ = false;                               // a kernel ended with an error
  bool after_fault_ = false;                               // this launch follows one that did
  std::set<std::uintptr_t> freed_in_vain_;                 // after that
  std::set<std::pair<std::uintptr_t, const void*>> told_;  // leaks, by address and place
  std::size_t kept_ = 0;  // allocations, streams and events that static variables hold at the end
  std::size_t dynamic_bytes_ = 0;
  hazard_list hazards_;
  std::vector<launch_record> launches_;
};

/// The tracer, if this OS thread runs a traced kernel; otherwise null.
extern __thread tracer* tracing __attribute__((tls_model("initial-exec")));

}  // namespace lab::sim

#include "sim/runtime/tracer/tracer_access.hpp"
