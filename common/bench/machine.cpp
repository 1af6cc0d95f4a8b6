#include "bench/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "bench/timing.hpp"
#include "support/parallel.hpp"

namespace lab::judge {

namespace {

std::string cpu_name() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

// Far more than the caches hold, and little of the device memory.
std::uint64_t ceiling_bytes(const protocol::device_properties& device, backend_kind backend) {
  if (backend == backend_kind::sim) return 64 << 20;
  return std::min<std::uint64_t>(1ull << 30, device.free_bytes / 8) / 256 * 256;
}

}  // namespace

double add_device(bench_result& result, session& calls, const bench_options& options) {
  const auto device = calls.runner().device();
  const bool timed = options.backend == backend_kind::cuda || options.simulator_time;
  const double ceiling = timed ? measure_ceiling(calls, ceiling_bytes(device, options.backend), 21) : 0;
  result.device = {{"name", device.name},
                   {"memory_bytes", device.memory_bytes},
                   {"l2_bytes", device.l2_bytes},
                   {"multiprocessors", device.multiprocessors},
                   {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                   {"cuda", fmt::format("{}.{}", device.runtime / 1000, device.runtime % 1000 / 10)},
                   {"cpu", cpu_name()},
                   {"cpu_threads", cores()}};
  if (timed) result.device["ceiling_gbytes_per_s"] = ceiling;
  return ceiling;
}

}  // namespace lab::judge
