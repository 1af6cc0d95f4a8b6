#include "sim/runtime/tracer/tracer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/execution/cluster.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/device_variables.hpp"
#include "sim/runtime/symbols/program_memory.hpp"

namespace lab::sim {

__thread tracer* tracing = nullptr;

namespace {

constexpr std::size_t dynamic_most = 227 * 1024;
constexpr std::size_t most_locals = 512 * 1024;  // of a thread

const char* name_of(space where) {
  return where == space::global ? "global" : where == space::shared ? "shared" : "constant";
}

}  // namespace

namespace {

double number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? std::strtod(text, nullptr) : 0;
}

}  // namespace

// LAB_SIM_COVERAGE=1: the run notes which accesses and barriers it executes, and no more. It takes a tenth of the time.
// LAB_SIM_SAMPLE: a run of some blocks counts, but does not check. What the other blocks would have written is missing,
// and shadow memory would take eleven times the memory of the arrays.
tracer::tracer()
    : only_coverage_{number_in("LAB_SIM_COVERAGE") != 0},
      sampled_{number_in("LAB_SIM_SAMPLE") > 0},
      limit_s_{number_in("LAB_SIM_LIMIT")} {}

tracer& tracer::instance() {
  static auto* const it = new tracer;
  return *it;
}

void tracer::drop_region(std::uintptr_t begin) {
  const auto at = regions_.find(begin);
  if (at == regions_.end()) return;
  munmap(at->second.cells, (at->second.bytes / 4 + 2) * sizeof(shadow_cell));
  regions_.erase(at);
  last_region_ = nullptr;
}

const region* tracer::region_of(std::uintptr_t address) {
  if (last_region_ && address - last_region_->begin < last_region_->bytes) return last_region_;
  auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return nullptr;
  const region& r = std::prev(after)->second;
  return address - r.begin < r.bytes ? last_region_ = &r : nullptr;
}

void tracer::other_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  for (const auto& variables : program_)
    if (address >= variables.begin && address < variables.end) return global_access(address, bytes, op, pc);
  if (address < 65536) stray(address, bytes, pc);
  const auto guarded = reinterpret_cast<std::uintptr_t>(lab_sim_dynamic) - dynamic_guard;
  if (address - guarded < 2 * dynamic_guard + dynamic_most) beyond_dynamic(address, bytes);
  if (cluster* const peers = block_runner::running().peers()) access_of_another(*peers, address, bytes, op, pc);
}

void tracer::misuses_block(const std::string& how, const void* pc) {
  report({hazard_kind::race, severity::error, kernel_, clusters, how, pc, nullptr, blockIdx, threadIdx});
}

// Shared memory of another block of the cluster. What order such accesses have is not followed: they give bytes a
// value, and are neither counted nor compared with those of other threads.
void tracer::access_of_another(const cluster& peers, std::uintptr_t address, unsigned bytes, operation op,
                               const void* pc) {
  const auto [rank, place] = peers.place_of(reinterpret_cast<void*>(address));
  if (rank == peers.rank()) return;
  note_place(pc, op, space::shared);
  if (const auto misuse = peers.misuse_of(rank); !misuse.empty()) misuses_block(misuse, pc);
  block_trace* const other = peers.traced(rank);
  if (!other) return;
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  for (auto& s : other->shared) {
    if (at - s.begin >= s.end - s.begin) continue;
    if (at - s.begin + bytes > s.usable) beyond_dynamic(at, bytes);
    if (op == operation::load || sampled_ || only_coverage_) continue;
    for (auto cell = (at - s.begin) / 4; cell * 4 < at - s.begin + bytes; ++cell) {
      const auto had = s.cells[cell].interval >= other->start ? s.cells[cell].has_value : 0;
      s.cells[cell] = {};
      s.cells[cell].interval = clock_.now;
      s.cells[cell].has_value = (had | bytes_of_cell(at - s.begin, cell, bytes)) & 15;
    }
  }
}

void tracer::cover_other(std::uintptr_t address, operation op, const void* pc) {
  if (cluster* const peers = block_runner::running().peers()) access_of_another(*peers, address, 1, op, pc);
  for (const auto& variables : program_)
    if (address >= variables.begin && address < variables.end)
      if (const region* const r = region_of(address)) return note_new_place(pc, op, r->where);
}

void tracer::note_new_place(const void* pc, operation op, space where) {
  site& place = sites_[sites_.number(pc, op, where)];
  place.executed = true;
  place.repeated |= path_->repeating();
}

void tracer::atomic(std::uintptr_t address, unsigned bytes, bool reads, bool of_system, const void* pc) {
  overwrites_ = !reads;
  of_system_ = of_system;
  access(address, bytes, operation::atomic, pc);
}

// The device moves a whole structure in pieces as wide as its alignment allows.
void tracer::range(std::uintptr_t address, std::size_t bytes, operation op, const void* pc) {
  in_pieces(address, bytes, [&](std::uintptr_t from, unsigned piece) { access(from, piece, op, pc); });
}

void tracer::misaligned(std::uintptr_t address, unsigned bytes) {
  block_runner::current().abandon(cudaErrorMisalignedAddress, hazard_kind::misaligned,
                                  std::to_string(bytes) + " bytes are accessed at " + location(address) +
                                      ", whose address is not a multiple of " + std::to_string(bytes));
}

// The access itself follows, and reports what is worse: an address outside of all memory.
void tracer::misaligned_pointer(std::uintptr_t address, std::size_t alignment, const char* type, const void* pc) {
  const auto above_frame = address - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const bool is_local = above_frame < most_locals;
  const bool is_shared = std::ranges::any_of(shared_, [&](const shared_range& s) {
    return address - s.begin < std::min<std::size_t>(s.usable, s.end - s.begin);
  });
  if (!is_local && !is_shared && !region_of(address)) return;
  at(pc, is_local ? "local" : is_shared ? "shared" : "global");
  block_runner::current().abandon(cudaErrorMisalignedAddress, hazard_kind::misaligned,
                                  "an object of type " + std::string{type} + " is accessed at " +
                                      (is_local ? "a local variable" : location(address)) +
                                      ", whose address is not a multiple of " + std::to_string(alignment));
}

void tracer::stray_variable(std::uintptr_t address, unsigned bytes) {
  const auto at = describe_variable(address);
  const std::string what = std::to_string(bytes) + " bytes are accessed at " + at.words;
  if (!at.of_host) block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::out_of_bounds, what);
  block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::host_pointer,
                                  what + ", which is not __device__");
}

void tracer::stray(std::uintptr_t address, unsigned bytes, const void*) {
  const auto at = describe(address);
  block_runner::current().abandon(cudaErrorIllegalAddress,
                                  at.freed ? hazard_kind::use_after_free : hazard_kind::out_of_bounds,
                                  std::to_string(bytes) + " bytes are accessed at " + at.words);
}

void tracer::outside(const region* area, std::uintptr_t address, unsigned bytes, const void* pc) {
  const std::uintptr_t first_outside = area ? area->begin + area->bytes : address;
  if (address >= arena_begin && address < arena_end) stray(first_outside, bytes, pc);
  stray_variable(first_outside, bytes);
}

void tracer::constant_write(std::uintptr_t address) {
  block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::constant_write,
                                  "kernels cannot write to " + location(address));
}

void tracer::beyond_dynamic(std::uintptr_t address, unsigned bytes) {
  stopped_in_ = name_of(space::shared);
  const auto offset = static_cast<std::intptr_t>(address - reinterpret_cast<std::uintptr_t>(lab_sim_dynamic));
  block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::out_of_bounds,
                                  std::to_string(bytes) + " bytes are accessed at byte " + std::to_string(offset) +
                                      " of dynamic shared memory, of which the launch asked for " +
                                      std::to_string(dynamic_bytes_) + " bytes");
}

// After a fault, memory may lack values because an earlier kernel ended too early.
void tracer::without_value(shadow_cell& cell, std::uintptr_t address, operation op, std::uint16_t at) {
  if (after_fault_) block_runner::current().leave();
  const site& mine = sites_[at];
  if (mine.where == space::shared && is_of_compiler(address)) return;
  early_reads_.push_back(
      {&cell,
       thread_ + 1,
       op == operation::atomic,
       {hazard_kind::uninitialized_read, mine.where == space::constant ? severity::warning : severity::error, kernel_,
        name_of(mine.where), location(address) + " is read before it has a value", mine.pc, nullptr, blockIdx,
        threadIdx}});
}

void tracer::settle_early_reads() {
  const auto by_another = [](const early_read& e, std::uint32_t stamp) {
    return (stamp & is_thread) && thread_of(stamp) != e.thread;
  };
  for (auto& e : early_reads_)
    if (!by_another(e, e.cell->writer) && (e.atomic || !by_another(e, e.cell->atomic))) report(std::move(e.what));
  early_reads_.clear();
}

void tracer::settle() {
  suspicion_.open = false;
  const bool same = std::memcmp(suspicion_.before, reinterpret_cast<const void*>(suspicion_.p), suspicion_.bytes) == 0;
  hazards_.raise(suspicion_.hazard, same ? severity::info : severity::error);
}

void tracer::suspect(std::size_t hazard, std::uintptr_t address, unsigned bytes, operation op) {
  if (op == operation::atomic) return hazards_.raise(hazard, severity::error);
  suspicion_ = {true, address, bytes, {}, hazard};
  std::memcpy(suspicion_.before, reinterpret_cast<const void*>(address), bytes);
}

void tracer::race(conflict found, std::uintptr_t address, unsigned bytes, operation op, std::uint16_t at) {
  if (after_fault_) return;
  if (found.between_blocks && fenced_.contains(found.other - 1) && block_used_atomics_) return;
  const site& mine = sites_[at];
  if (mine.where == space::shared && is_of_compiler(address)) return;
  const site& other = sites_[found.other_site];
  const auto verb = [](const site& s) {
    return s.op == operation::load ? "reads" : s.op == operation::store ? "writes" : "atomically changes";
  };
  const bool same_warp = !found.between_blocks && (found.other - 1) / 32 == thread_ / 32;
  const bool stored_twice = mine.op == operation::store && other.op == operation::store && mine.pc == other.pc;
  const char* const remedy = stored_twice           ? "; only one of the two values remains"
                             : found.between_blocks ? "; blocks run in any order: use atomics or a second launch"
                             : same_warp            ? "; no barrier separates the two accesses, not even __syncwarp()"
                                                    : "; no __syncthreads() separates the two accesses";
  const uint3 index = index_of(found.between_blocks ? 0 : found.other - 1);
  const std::string partner = found.between_blocks ? "block number " + std::to_string(found.other - 1)
                                                   : "thread (" + std::to_string(index.x) + ", " +
                                                         std::to_string(index.y) + ", " + std::to_string(index.z) + ")";
  lab::sim::hazard what{
      hazard_kind::race,
      found.both_write ? severity::info
      : same_warp      ? severity::warning
                       : severity::error,
      kernel_,
      name_of(mine.where),
      location(address) + ": this thread " + verb(mine) + " what " + partner + " " + verb(other) + remedy,
      mine.pc,
      other.pc,
      blockIdx,
      threadIdx};
  const auto value = [&] {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), std::min<std::size_t>(bytes, sizeof bits));
    return bits;
  };
  if (mine.op == operation::load && other.op == operation::atomic)
    return doubt({thread_ + 1, address, at, value(), true, std::move(what)});
  if (mine.op == operation::atomic && other.op == operation::load)
    return doubt({found.other, address, found.other_site, 0, false, std::move(what)});
  const std::size_t hazard = report(std::move(what));
  if (found.both_write) suspect(hazard, address, bytes, op);
}

// Of an object with a destructor, the compiler notes in each OS thread's memory that the object is made.
bool tracer::is_of_compiler(std::uintptr_t address) const {
  for (const auto& s : shared_)
    if (address - s.begin < s.end - s.begin && s.variables)
      for (const auto& v : *s.variables)
        if (address - s.begin - v.begin < v.bytes) return v.name.empty();
  return false;
}

std::string tracer::location(std::uintptr_t address) const {
  if (address >= arena_begin && address < arena_end) return describe(address).words;
  const auto dynamic = reinterpret_cast<std::uintptr_t>(lab_sim_dynamic);
  if (address - dynamic < dynamic_most)
    return "byte " + std::to_string(address - dynamic) + " of dynamic shared memory";
  for (const auto& variables : program_)
    if (address >= variables.begin && address < variables.end) return describe_variable(address).words;
  for (const auto& s : shared_)
    if (address - s.begin < s.end - s.begin && s.variables)
      for (const auto& v : *s.variables)
        if (const auto offset = address - s.begin - v.begin; offset < v.bytes)
          return "byte " + std::to_string(offset) + " of the __shared__ variable " + v.name;
  return "a __shared__ variable";
}

namespace {

bool is_fault(hazard_kind kind) {
  return kind == hazard_kind::out_of_bounds || kind == hazard_kind::use_after_free || kind == hazard_kind::misaligned ||
         kind == hazard_kind::host_pointer || kind == hazard_kind::constant_write;
}

}  // namespace

// A launch after a fault is watched for faults alone.
std::size_t tracer::report(hazard found) {
  const bool doubtful = tracing && after_fault_ && !is_fault(found.kind);
  return doubtful ? 0 : hazards_.add(std::move(found));
}

void tracer::stopped(hazard_kind kind, const std::string& what) {
  has_stopped_ = true;
  known();
  const bool waits = kind == hazard_kind::hang || kind == hazard_kind::race;
  const bool elsewhere =
      waits && (stopped_in_ == std::string_view{engines} || stopped_in_ == std::string_view{clusters});
  report({kind, severity::error, kernel_, is_fault(kind) || elsewhere ? stopped_in_ : "", what, last_pc_, nullptr,
          blockIdx, threadIdx});
  stopped_in_ = name_of(space::global);
}

// Dynamic shared memory comes last because most kernels use none.
void tracer::find_shared_memory() {
  forget_copies();  // of the launch before, whose cells these are
  const auto dynamic = reinterpret_cast<std::uintptr_t>(lab_sim_dynamic);
  shared_.clear();
  for (const auto& range : static_shared_memory())
    shared_.push_back({range.begin, range.end, ~std::size_t{0}, &shared_variables_of(range.module)});
  for (auto& s : shared_) s.cells.resize((s.end - s.begin) / 4 + 2);
  shared_.push_back({dynamic, dynamic + dynamic_most, dynamic_bytes_});
  shared_.back().cells.resize(dynamic_bytes_ / 4 + 2);
}

}  // namespace lab::sim
