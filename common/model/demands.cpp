#include "model/demands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace lab::judge {

namespace {

double product(const std::array<int, 3>& n) { return double(n[0]) * n[1] * n[2]; }

std::string short_name(const std::string& kernel) {
  const auto whole = kernel.substr(0, kernel.find('<'));
  const auto colon = whole.rfind("::");
  return colon == whole.npos ? whole : whole.substr(colon + 2);
}

// The kernel of a launch; two kernels that differ in template arguments have one short name.
kernel_profile profile_of(const std::string& kernel, const std::vector<kernel_profile>& all) {
  kernel_profile sum{.kernel = kernel};
  for (const bool exact : {true, false}) {
    for (const auto& one : all) {
      if (exact ? one.kernel != kernel : short_name(one.kernel) != short_name(kernel)) continue;
      sum.threads += one.threads;
      sum.instructions += one.instructions;
      sum.unconditional += one.unconditional;
      sum.fp32 += one.fp32;
      sum.global_loads += one.global_loads;
      sum.rounds += one.rounds;
      sum.hidden_rounds += one.hidden_rounds;
      sum.load_groups += one.load_groups;
      sum.chain += one.chain;
      sum.shared_exposures += one.shared_exposures;
      sum.serial += one.serial;
      for (const auto& [line, count] : one.loads) sum.loads[line] += count;
      sum.registers = std::max(sum.registers, one.registers);
    }
    if (sum.threads > 0) break;
  }
  return sum;
}

// Sectors that earlier launches of the call left in L2, if all its memory fits there.
class caches {
 public:
  caches(const trace_report& trace, double l2_mbytes) {
    std::map<std::uint64_t, double> bytes;
    for (const auto& one : trace.launches)
      for (const auto& m : one.memory) bytes[m.allocation] = static_cast<double>(m.bytes);
    double all = 0;
    for (const auto& [allocation, size] : bytes) all += size;
    keeps_ = all < 0.7 * l2_mbytes * 1048576;
  }
  bool has(std::uint64_t allocation) const { return keeps_ && known_.contains(allocation); }
  void add(std::uint64_t allocation) { known_[allocation] = true; }

 private:
  bool keeps_ = false;
  std::map<std::uint64_t, bool> known_;
};

// Blocks of one multiprocessor share its L1. Of the blocks that use a sector, some run there at the same time; together
// they load it once.
double share_after_l1(double uses, double blocks, double together) {
  const double chance = std::min(1., uses / blocks);
  return (1 - std::pow(1 - chance, together)) / (chance * together);
}

struct sectors_from_l2 {
  double different = 0;           // a sector counts once
  double of_blocks = 0;           // once for each block
  double of_multiprocessors = 0;  // once for the blocks that run together
};

void add_memory(launch_demand& d, const launch& one, double scale, double together, caches& l2, sectors_from_l2& sum) {
  for (const auto& m : one.memory) {
    const double most = std::ceil(static_cast<double>(m.bytes) / 32);
    const double loaded = std::min(most, static_cast<double>(m.loaded_sectors) * scale);
    const double stored = std::min(most, static_cast<double>(m.stored_sectors) * scale);
    if (!l2.has(m.allocation)) d.dram_read_bytes += 32 * loaded;
    d.dram_written_bytes += 32 * stored;
    if (loaded <= 0) continue;
    const double by_blocks = std::max(loaded, static_cast<double>(m.sectors_loaded_by_each_block) * scale);
    sum.different += loaded;
    sum.of_blocks += by_blocks;
    sum.of_multiprocessors += std::max(loaded, by_blocks * share_after_l1(by_blocks / loaded, d.blocks, together));
  }
  for (const auto& m : one.memory) l2.add(m.allocation);
}

// Lanes in different lines of a cache. 32 sectors beside each other lie in at most nine lines.
bool is_scattered(const line_traffic& line) {
  return line.sectors >= 2 * line.sectors_ideal && line.cache_lines > 9 * line.requests;
}

struct requested {
  double load_sectors = 0, store_sectors = 0;
  double partial_sectors = 0;  // sectors of which a store writes a part
};

std::pair<std::string, int> place_of(const line_traffic& line) {
  return {std::filesystem::path{line.file}.filename().string(), line.line};
}

// Of all launches of a kernel, because the profile is.
struct loads_by_line {
  double threads = 0;
  std::map<std::pair<std::string, int>, double> lanes{};
};

std::map<std::string, loads_by_line> loads_of(const trace_report& trace) {
  std::map<std::string, loads_by_line> all;
  for (const auto& one : trace.launches) {
    auto& loads = all[one.kernel];
    loads.threads += static_cast<double>(one.blocks_run) * product(one.block);
    for (const auto& line : one.lines)
      if (line.op == "load") loads.lanes[place_of(line)] += static_cast<double>(line.lanes);
  }
  return all;
}

// The compilers keep a value in a register that a line loads again; the trace counts each load of the source. So many
// of them remain. The compiled code may have more loads than the trace, because g++ loads the members of a vector one
// by one.
double kept_loads(const line_traffic& line, const loads_by_line& traced, const kernel_profile& profile) {
  const auto place = place_of(line);
  const auto compiled = profile.loads.find(place), all = traced.lanes.find(place);
  if (line.op != "load" || compiled == profile.loads.end() || all == traced.lanes.end()) return 1;
  const double each = all->second / traced.threads;
  return each > 0 && profile.threads > 0 ? std::min(1., compiled->second / profile.threads / each) : 1;
}

void add_lines(launch_demand& d, const launch& one, const kernel_profile& profile, const loads_by_line& loads,
               double all, requested& sum) {
  double merged = 0;
  for (const auto& line : one.lines) {
    const double scale = all * kept_loads(line, loads, profile);
    const double requests = static_cast<double>(line.requests) * scale,
                 sectors = static_cast<double>(line.sectors) * scale;
    if (line.space == "shared" && line.op != "atomic")
      d.shared_wavefronts += static_cast<double>(line.op == "load" ? line.merged_wavefronts : line.wavefronts) * scale;
    if (line.space == "shared") d.bank_conflicts += static_cast<double>(line.bank_conflicts) * scale;
    if (line.space == "shared" && line.op == "load")
      merged += static_cast<double>(line.requests - line.merged_requests) * scale;
    if (line.space != "global") continue;
    const double banks = line.op == "load" ? static_cast<double>(line.merged_wavefronts) * scale : 0;
    // L1 looks up two lines in a cycle, and has four sectors of one line in a cycle.
    const double lookups = static_cast<double>(line.cache_lines) * scale / 2;
    d.l1_cycles += std::max({requests, banks, lookups, sectors / 4});
    d.l1_requests += requests;
    (line.op == "load" ? sum.load_sectors : sum.store_sectors) += sectors;
    if (line.op == "store") d.wasted_sectors += static_cast<double>(line.sectors - line.sectors_ideal) * scale;
    if (line.op == "store" && !is_scattered(line) && line.sectors >= 2 * line.sectors_ideal)
      sum.partial_sectors += sectors;
    if (line.op == "store" && is_scattered(line)) d.scattered_sectors += sectors;
  }
  d.instructions = std::max(0.2 * d.instructions, d.instructions - merged);
}

void add_atomics(launch_demand& d, const launch& one, double scale) {
  double lanes = 0, sectors = 0;
  for (const auto& a : one.atomics) {
    const double own = static_cast<double>(a.requests) * scale;
    if (a.space == "shared") {
      // Lanes at one address come one after another.
      const double crowd = a.addresses > 0 ? static_cast<double>(a.lanes) / static_cast<double>(a.addresses) : 1;
      d.shared_wavefronts += own * crowd;
      continue;
    }
    lanes += static_cast<double>(a.lanes);
  }
  for (const auto& line : one.lines)
    if (line.is("atomic", "global")) sectors += static_cast<double>(line.sectors);
  // An atomic instruction of a warp goes to L2 once for each sector. A slice serves one in a cycle.
  if (lanes > 0) d.busiest_atomics = static_cast<double>(one.busiest_slice_atomics) * scale * sectors / lanes;
}

// `blocks`: those that the counted run gave to this launch. A run that lasts too long ends with fewer of them.
void add_instructions(launch_demand& d, const launch& one, const kernel_profile& profile, double share) {
  const double threads_run = profile.threads * share, scale = d.blocks * d.threads / threads_run;
  const double idle = std::ceil(d.threads / 32) * 32 / d.threads;
  const double requests = static_cast<double>(one.requests), lanes = static_cast<double>(one.lanes);
  const double divergence = lanes > 0 ? std::max(1., 32 * requests / lanes / idle) : 1;
  const double warps = scale * share * idle / 32;
  d.instructions = (profile.unconditional + (profile.instructions - profile.unconditional) * divergence) * warps;
  d.fp32 = profile.fp32 * divergence * warps;
  d.rounds = profile.rounds * share / threads_run;
  d.hidden_rounds = profile.hidden_rounds * share / threads_run;
  d.chain = profile.chain * share / threads_run;
  d.shared_exposures = profile.shared_exposures * share / threads_run;
  d.serial = profile.serial * share / threads_run;
  d.registers = profile.registers;
}

// The blocks of the first wave run in step, so that all of them wait for a sector that the first of them loads from
// device memory. Later blocks find most sectors in L2.
void add_latency_shares(launch_demand& d, const kernel_profile& profile, double requested_sectors,
                        const sectors_from_l2& loaded, double first_wave) {
  if (requested_sectors <= 0 || profile.load_groups <= 0) return;
  const double loads = std::max(1., profile.global_loads / profile.load_groups);
  const double from_l2 = std::min(loaded.of_blocks, requested_sectors), cold = d.dram_read_bytes / 32;
  d.round_latency_share = std::min(1., loads * from_l2 / requested_sectors);
  if (from_l2 <= 0) return;
  const double first = std::min(1., loads * cold / loaded.different), later = std::min(1., loads * cold / from_l2);
  d.dram_latency_share = d.round_latency_share * (first_wave * first + (1 - first_wave) * later);
}

std::string problem_of(const launch& one) {
  if (one.concurrent > 1) return "its launches run at the same time in several streams";
  if (one.grid_barriers > 0) return "its blocks wait for each other at a barrier of the grid";
  if (one.matrix_products > 0) return "its products run on tensor cores, which the model does not know";
  if (one.box_bytes > 0) return "the copy engine (TMA) loads its tiles, which the model does not know";
  if (one.blocks_run == 0) return one.kernel + " ran no block";
  return "";
}

// Each block takes a kilobyte more than it asks for.
std::string why_too_large(const launch_demand& d, const gpu_parameters& gpu) {
  const double kbytes = d.shared_bytes / 1024, most = gpu.shared_kbytes - 1;
  if (kbytes <= most) return "";
  return fmt::format("a block of {} uses {:.4g} KB of shared memory, and this GPU has {} for it", d.kernel, kbytes,
                     most);
}

}  // namespace

std::string why_no_time(const trace_report& trace) {
  if (trace.launches.empty()) return "it launches no kernel";
  for (const auto& one : trace.launches)
    if (auto problem = problem_of(one); !problem.empty()) return problem;
  return "";
}

std::vector<line_access> loading_lines(const trace_report& trace) {
  std::vector<line_access> all;
  for (const auto& one : trace.launches)
    for (const auto& line : one.lines) {
      const auto file = std::filesystem::path{line.file}.filename().string();
      const auto known =
          std::ranges::find_if(all, [&](const auto& a) { return a.line == line.line && a.file == file; });
      auto& place = known == all.end() ? all.emplace_back(line_access{file, line.line}) : *known;
      // Constant memory has a cache of its own, whose latency is that of shared memory.
      if (line.op != "store") (line.space == "global" ? place.global : place.shared) = true;
      if (line.op == "store") (line.space == "global" ? place.stores : place.shared_stores) = true;
    }
  return all;
}

demands demands_of(const trace_report& trace, const std::vector<kernel_profile>& profiles, const gpu_parameters& gpu) {
  demands found;
  found.problem = why_no_time(trace);
  if (!found.problem.empty()) return found;
  caches l2{trace, gpu.l2_mbytes};
  auto traced = loads_of(trace);
  std::map<std::string, double> requests;
  for (const auto& one : trace.launches) requests[one.kernel] += static_cast<double>(one.requests);
  for (const auto& one : trace.launches) {
    const auto profile = profile_of(one.kernel, profiles);
    if (profile.instructions <= 0) {
      found.problem = "the instructions of " + one.kernel + " are unknown";
      return found;
    }
    launch_demand d{.kernel = one.kernel, .blocks = product(one.grid), .threads = product(one.block)};
    const double run = static_cast<double>(one.blocks_run), scale = d.blocks / run;
    const double all = requests[one.kernel], share = all > 0 ? static_cast<double>(one.requests) / all : 1;
    d.shared_bytes = static_cast<double>(one.shared_bytes);
    if (found.problem = why_too_large(d, gpu); !found.problem.empty()) return found;
    d.barriers = static_cast<double>(one.block_barriers) / run;
    requested sum;
    sectors_from_l2 loads;
    add_instructions(d, one, profile, share);
    const double together = std::min(resident_blocks(d, gpu), std::ceil(d.blocks / gpu.multiprocessors));
    add_memory(d, one, scale, together, l2, loads);
    add_lines(d, one, profile, traced[one.kernel], scale, sum);
    add_atomics(d, one, scale);
    const double requested = std::max(sum.load_sectors, 1.);
    d.l1_fills = std::min(loads.of_multiprocessors, requested);
    d.l2_sectors = d.l1_fills + sum.store_sectors + sum.partial_sectors;
    const double first_wave = std::min(1., resident_blocks(d, gpu) * gpu.multiprocessors / d.blocks);
    add_latency_shares(d, profile, sum.load_sectors, loads, first_wave);
    found.launches.push_back(std::move(d));
  }
  return found;
}

}  // namespace lab::judge
