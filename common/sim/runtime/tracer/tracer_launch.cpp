#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <new>
#include <unordered_map>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/memory/device_variables.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/streams.hpp"
#include "sim/runtime/symbols/static_pointers.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// The tracer's view of launches, blocks and threads.

namespace lab::sim {

namespace {

constexpr std::uintptr_t slice_bytes = 512;

std::uintptr_t address_of(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace

bool tracer::launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  kernel_ = call.name;
  for (const auto& [begin, r] : regions_) {
    r.read = r.written = false;
    if (sampled_) r.notes.start(r.begin, r.bytes);
  }
  const auto in_order = order::begin(where.stream);
  histories_.start(in_order);
  dynamic_bytes_ = where.shared;
  threads_ = where.block.x * where.block.y * where.block.z;
  find_shared_memory();
  program_ = program_variables();
  fenced_.clear();
  compared_later_.clear();
  after_fault_ = has_stopped_;
  sites_.start_counting();
  block_counts_ = {};
  const auto may_still_run = [](const launch_record& earlier) { return !order::before_current(earlier.in_order); };
  const auto others = static_cast<std::uint64_t>(std::ranges::count_if(launches_, may_still_run));
  launches_.push_back(
      {kernel_, where.grid, where.block, call.address ? symbol_of(call.address).static_shared : 0, where.shared});
  launches_.back().in_order = in_order;
  launches_.back().concurrent = 1 + others;
  atomics_.clear();
  clock_.launch_start = ++clock_.now;
  launched_at_ = std::chrono::steady_clock::now();
  tracing = this;
  return !sampled_ || others == 0;
}

void tracer::launch_ends() {
  if (suspicion_.open) settle();
  flush();
  tracing = nullptr;
  find_busiest();
  for (const auto& [begin, r] : regions_)
    if (sampled_ && (r.read || r.written)) launches_.back().memory.push_back(r.notes.sum());
  mark_in_flight();
  for (const auto& s : sites_.all())
    if (s.requests > 0 || s.executed) launches_.back().sites.push_back(s);
}

void tracer::end_if_overdue(const void* pc) {
  if (std::chrono::steady_clock::now() - launched_at_ < std::chrono::duration<double>(limit_s_)) return;
  if (pc) at(pc, "");
  const auto counted = [](const dim3& size, const char* unit) {
    const auto n = std::uint64_t{size.x} * size.y * size.z;
    return std::to_string(n) + " " + unit + (n == 1 ? "" : "s");
  };
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", limit_s_);
  const auto& launch = launches_.back();
  block_runner::current().abandon(cudaErrorLaunchTimeout, hazard_kind::hang,
                                  std::string{"still runs after "} + limit + " s; the grid is " +
                                      counted(launch.grid, "block") + " of " + counted(launch.block, "thread"));
}

void tracer::at_barrier(const void* pc) {
  at(pc);
  auto& places = launches_.back().barriers;
  const auto known = std::ranges::find(places, pc, &barrier_place::pc);
  if (known == places.end())
    places.push_back({pc, path_->repeating()});
  else
    known->repeated |= path_->repeating();
}

// Managed and page-locked memory that the kernel accessed is in flight until the host waits.
void tracer::mark_in_flight() {
  for (const auto& [begin, r] : regions_)
    if (r.host_writes && r.serial > 0 && (r.read || r.written))
      in_flight::add(begin, r.bytes, r.written, "kernel " + kernel_);
}

bool tracer::used_in_last_launch(std::uintptr_t address, bool written) {
  const region* const r = region_of(address);
  if (!r) return false;
  const shadow_cell& c = r->cells[(address - r->begin) / 4];
  if (c.interval < clock_.launch_start) return false;
  return c.writer != 0 || c.atomic != 0 || (!written && (c.reader_block != 0 || c.reader2_block != 0));
}

bool tracer::host_sees_memory() const {
  return std::ranges::any_of(regions_, [](const auto& r) { return r.second.host_writes && r.second.serial > 0; });
}

bool tracer::atomic_for_host_and_device(std::uintptr_t address) {
  const region* const r = region_of(address);
  if (!r) return false;
  const shadow_cell& c = r->cells[(address - r->begin) / 4];
  return c.interval >= clock_.launch_start && c.atomic != 0 && sites_[c.atomic_site].of_system && c.writer == 0 &&
         c.reader_block == 0;
}

void tracer::find_busiest() {
  const auto rank = [](const auto& entry) { return std::pair{entry.second, ~entry.first}; };
  const auto most = std::ranges::max_element(atomics_, {}, rank);
  if (most == atomics_.end()) return;
  launches_.back().busiest = location(most->first);
  launches_.back().busiest_atomics = most->second;
  std::unordered_map<std::uintptr_t, std::uint64_t> slices;
  for (const auto& [address, count] : atomics_) slices[address / slice_bytes] += count;
  for (const auto& [slice, count] : slices)
    launches_.back().busiest_slice_atomics = std::max(launches_.back().busiest_slice_atomics, count);
}

void tracer::grid_synchronized() {
  clock_.launch_start = ++clock_.now;
  ++launches_.back().grid_barriers;
}

void tracer::block_begins(std::uint64_t number) {
  block_ = static_cast<std::uint32_t>(number);
  block_used_atomics_ = false;
  forget_copies();
  ++launches_.back().blocks_run;
  clock_.block_start = ++clock_.now;
  std::ranges::fill(clock_.warp, 0u);
}

void tracer::compare_block() {
  const auto& launch = launches_.back();
  std::vector<std::uint64_t> sums{launch.block_barriers, launch.warp_barriers, launch.box_bytes};
  for (const auto& [begin, r] : regions_) sums.push_back(r.notes.sum().loaded_by_each_block);
  for (const auto& s : sites_.all())
    sums.insert(sums.end(), {s.requests, s.sectors, s.sectors_ideal, s.wavefronts, s.wavefronts_ideal, s.conflicts,
                             s.lanes, s.addresses, s.merged_wavefronts, s.merged_requests, s.cache_lines});
  block_counts_.add(std::move(sums));
}

// The busiest address of a few blocks says nothing of the others'.
bool tracer::blocks_are_alike() const { return atomics_.empty() && block_counts_.alike(); }

void tracer::exchange_block(block_trace& other) {
  next_interval();
  if (other.shared.empty()) {
    other.shared = shared_;
    for (auto& s : other.shared) {
      s.cells.assign(s.cells.size(), shadow_cell{});
      s.bytes_cells.forget();
    }
  }
  std::swap(shared_, other.shared);
  std::swap(paths_, other.paths);
  std::swap(block_, other.number);
  std::swap(clock_.block_start, other.start);
  std::swap(block_used_atomics_, other.used_atomics);
  std::swap(engines_, other.engines);
  path_ = &paths_[thread_];
}

void tracer::flush() {
  for (auto& log : logs_) log.flush(sites_, sampled_);
}

void tracer::continues_with(unsigned linear, bool starts) {
  thread_ = linear;
  path_ = &paths_[linear];
  log_ = &logs_[linear / 32];
  if (starts) path_->restart(), count_down(nullptr);
}

void tracer::next_interval() {
  if (suspicion_.open) settle();
  settle_early_reads();
  settle_doubtful_reads();
  flush();
  ++clock_.now;
}

// After a kernel that stopped, calls that free or destroy something fail, so only memory that no call names is a leak.
// What a static variable points to is kept for the next call, as LeakSanitizer sees it, too.
// After a reset, a static variable keeps nothing.
void tracer::report_leaks(bool at_reset) {
  struct leak {
    std::string what, space;
    const void* made_at;
  };
  std::vector<std::pair<std::uintptr_t, leak>> all;
  for (const auto& [begin, r] : regions_)
    if (r.serial > 0 && !freed_in_vain_.contains(begin))
      all.push_back(
          {begin,
           {"allocation " + std::to_string(r.serial) + " (" + std::to_string(r.bytes) + " bytes) is never freed",
            "global", r.made_at}});
  // In the order of the code: addresses of host memory differ between runs.
  const auto first = static_cast<std::ptrdiff_t>(all.size());
  for (const auto* s : created_streams())
    if (!has_stopped_) all.push_back({address_of(s), {"the stream is never destroyed", "", s->made_at}});
  for (const auto* e : created_events())
    if (!has_stopped_) all.push_back({address_of(e), {"the event is never destroyed", "", e->made_at}});
  std::stable_sort(all.begin() + first, all.end(),
                   [](const auto& a, const auto& b) { return a.second.made_at < b.second.made_at; });
  std::set<std::uintptr_t> addresses;
  for (const auto& [address, one] : all) addresses.insert(address);
  const auto kept = at_reset ? std::set<std::uintptr_t>{} : held_by_static_variables(addresses);
  kept_ = kept.size();
  for (const auto& [address, one] : all)
    if (!kept.contains(address) && told_.insert({address, one.made_at}).second)
      report({hazard_kind::leak, severity::warning, "", one.space, one.what, one.made_at, nullptr, dim3(0, 0, 0), {}});
}

void tracer::forget() {
  hazards_.clear();
  launches_.clear();
  copies = {};
}

}  // namespace lab::sim
