#include "model/predict.hpp"

#include <algorithm>
#include <cmath>

namespace lab::judge {

namespace {

constexpr double norm = 2.5,
                 unit_norm = 4;  // unit_norm: of the units of one multiprocessor, which work at the same time
constexpr double near = 1.15;
constexpr double busy_unit = 0.6;  // of the time, as in Nsight Compute
// Between two rounds of loads: instructions that use the values, compute addresses and test the loop's end, each of
// which waits for the one before. Chosen by times of the first three rounds.
constexpr double instructions_of_round = 20;
constexpr double ramp_bytes = 1e6;  // so many bytes until device memory delivers its full rate

constexpr std::array<std::string_view, limits> limit_words{"DRAM throughput",
                                                           "L2 throughput",
                                                           "uncoalesced accesses",
                                                           "shared memory (L1/TEX) throughput",
                                                           "issue slots",
                                                           "FP32 pipeline",
                                                           "memory latency",
                                                           "launch of blocks",
                                                           "atomics at one address",
                                                           "tail effect",
                                                           "launch overhead"};

template <class... T>
double together_with(double p, T... values) {
  return std::pow((std::pow(values, p) + ...), 1 / p);
}

template <class... T>
double together(T... values) {
  return together_with(norm, values...);
}

double& at(launch_time& time, limit what) { return time.each_us[static_cast<std::size_t>(what)]; }

double warps_of(const launch_demand& d) { return std::ceil(d.threads / 32); }

// The work of one block for one multiprocessor, and the latencies of one warp, in cycles: of loads and barriers, where
// all warps of a block wait, and of shared memory and multiply-adds, where its other warps work meanwhile. All of them
// work while loads of a later tile are on their way.
struct block_cycles {
  double issue, fp32, shared, together_waits, own_waits, hidden_waits;
  double schedulers;  // the part of the schedulers that has a warp of the block
  double busy() const { return together_with(unit_norm, issue, fp32, shared); }
  double busy_alone() const { return together_with(unit_norm, issue / schedulers, fp32 / schedulers, shared); }
  double latency() const { return together_waits + own_waits; }
  double alone() const { return together_waits + std::max({busy_alone(), own_waits, hidden_waits}); }
};

block_cycles cycles_of(const launch_demand& d, const gpu_parameters& gpu) {
  const double round = gpu.l1_latency_cycles + d.round_latency_share * (gpu.l2_latency_cycles - gpu.l1_latency_cycles) +
                       d.dram_latency_share * (gpu.dram_latency_cycles - gpu.l2_latency_cycles);
  return {.issue = d.instructions / d.blocks / gpu.schedulers,
          .fp32 = d.fp32 / d.blocks / gpu.fma_warps_per_cycle,
          .shared = (d.shared_wavefronts + std::max(d.l1_cycles, d.l1_requests * gpu.l1_request_cycles)) / d.blocks,
          .together_waits = d.rounds * (round + instructions_of_round * gpu.fma_latency_cycles) +
                            (gpu.barrier_cycles + gpu.barrier_warp_cycles * warps_of(d)) * d.barriers,
          .own_waits = gpu.shared_latency_cycles * d.shared_exposures + gpu.fma_latency_cycles * (d.chain + d.serial),
          .hidden_waits = d.hidden_rounds * (round + instructions_of_round * gpu.fma_latency_cycles),
          .schedulers = std::min(1., warps_of(d) / gpu.schedulers)};
}

// Cycles of the multiprocessor that has most blocks: full waves of resident blocks, and the rest.
double multiprocessor_cycles(double blocks, double resident, double busy, double alone) {
  const double mine = std::ceil(blocks);
  const double full = std::floor(mine / resident), rest = mine - full * resident;
  const auto wave = [&](double count) { return count > 0 ? std::max(count * busy, alone) : 0; };
  return full * wave(resident) + wave(rest);
}

// How long the units work as Nsight Compute counts them. Device memory: not for results that are still in L2 at the
// end. L2: a sector that it has to fetch or to write back is moved twice. L1: also the sectors that arrive from L2, two
// in a cycle, on multiprocessors with blocks alone. The factors of L2 were fitted to an H200's counters.
std::array<double, limits> counted_us(const launch_time& time, const launch_demand& d, const gpu_parameters& gpu) {
  auto busy = time.each_us;
  const auto at = [&](limit what) -> double& { return busy[static_cast<std::size_t>(what)]; };
  const double kept = 0.4 * gpu.l2_mbytes * 1e6, written = std::max(0., d.dram_written_bytes - kept);
  at(limit::dram) = (d.dram_read_bytes + written) / 1e3 / gpu.dram_read_gbytes_per_s;
  at(limit::l2) =
      (0.77 * 32 * d.l2_sectors + 0.94 * d.dram_read_bytes + 1.48 * d.dram_written_bytes) / 1e3 / gpu.l2_gbytes_per_s;
  at(limit::scattered) *= 0.75;
  const double busy_multiprocessors = std::min(gpu.multiprocessors, d.blocks);
  at(limit::shared) = (d.l1_cycles + d.shared_wavefronts + d.l1_fills / 2) / busy_multiprocessors / gpu.clock_mhz;
  return busy;
}

// Nsight Compute's rule: the busiest unit limits a kernel if it works most of the time. Else latency does, or what else
// keeps the units waiting. Its time includes the launch.
void find_largest(launch_time& time, const launch_demand& d, const gpu_parameters& gpu) {
  auto busy = counted_us(time, d, gpu);
  const auto place = [](limit what) { return static_cast<std::size_t>(what); };
  const auto units = busy.begin() + place(limit::latency);  // the units come first
  const bool unit = *std::max_element(busy.begin(), units) >= busy_unit * (time.us + gpu.first_launch_us);
  const auto first = unit ? busy.begin() : units, last = unit ? units : busy.end();
  time.largest = static_cast<limit>(std::max_element(first, last) - busy.begin());
  std::sort(first, last, std::greater{});
  time.balanced = first[1] > 0 && first[0] < near * first[1];
}

}  // namespace

std::string_view words(limit what) { return limit_words[static_cast<std::size_t>(what)]; }

double resident_blocks(const launch_demand& d, const gpu_parameters& gpu) {
  const double warps = warps_of(d);
  const double by_registers = std::floor(gpu.registers / (std::ceil(d.registers / 8) * 8 * 32 * warps));
  const double by_shared = std::floor(gpu.shared_kbytes * 1024 / (d.shared_bytes + 1024));
  return std::max(1., std::min({gpu.blocks, std::floor(gpu.warps / warps), by_registers, by_shared}));
}

launch_time predict(const launch_demand& d, const gpu_parameters& gpu) {
  launch_time time{.kernel = d.kernel};
  const auto each = cycles_of(d, gpu);
  const double mine = d.blocks / gpu.multiprocessors, resident = resident_blocks(d, gpu);
  const double per_us = gpu.clock_mhz, waves = std::ceil(std::ceil(mine) / resident);
  const double launch = std::max(gpu.block_launch_cycles, warps_of(d) * gpu.warp_launch_cycles);
  const double alone = launch + each.alone();  // the time of one block that runs alone
  const double cycles = multiprocessor_cycles(mine, resident, each.busy(), alone);
  const double even = std::max(mine * each.busy(), mine / resident * alone);
  const double dram =
      (d.dram_read_bytes + d.dram_written_bytes) / 1e3 /
      (d.dram_written_bytes > 0.05 * d.dram_read_bytes ? gpu.dram_gbytes_per_s : gpu.dram_read_gbytes_per_s);
  at(time, limit::dram) = dram;
  at(time, limit::l2) = d.l2_sectors * 32 / 1e3 / gpu.l2_gbytes_per_s;
  at(time, limit::scattered) = d.scattered_sectors / 1e3 / gpu.scattered_sectors_g_per_s;
  at(time, limit::shared) = mine * each.shared / per_us;
  at(time, limit::issue) = mine * each.issue / per_us;
  at(time, limit::fp32) = mine * each.fp32 / per_us;
  at(time, limit::latency) = waves * each.latency() / per_us;
  at(time, limit::launch_rate) = mine * launch / per_us;
  at(time, limit::atomics) = d.busiest_atomics / 1e3 / gpu.same_address_atomics_g_per_s;
  at(time, limit::tail) = std::max(0., cycles - even) / per_us;
  const double memory = std::max({at(time, limit::dram), at(time, limit::l2), at(time, limit::scattered)});
  time.us = together(cycles / per_us, memory, at(time, limit::launch_rate), at(time, limit::atomics));
  find_largest(time, d, gpu);
  return time;
}

modelled_call predict(const std::vector<launch_demand>& demands, const gpu_parameters& gpu) {
  modelled_call call;
  if (demands.empty()) return call;
  const double overhead = gpu.first_launch_us + static_cast<double>(demands.size() - 1) * gpu.further_launch_us;
  call.us = overhead;
  double bytes = 0;
  for (const auto& d : demands) bytes += d.dram_read_bytes + d.dram_written_bytes;
  call.us += gpu.dram_ramp_us * std::min(1., bytes / ramp_bytes);
  for (const auto& d : demands) {
    call.launches.push_back(predict(d, gpu));
    call.us += call.launches.back().us;
  }
  const auto& longest = *std::ranges::max_element(call.launches, {}, &launch_time::us);
  const bool bound = overhead > call.us / 2;
  call.largest = bound ? limit::launches : longest.largest;
  call.balanced = !bound && longest.balanced;
  return call;
}

}  // namespace lab::judge
