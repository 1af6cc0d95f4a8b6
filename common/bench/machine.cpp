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

// Far larger than any cache, yet small beside the memory.
std::uint64_t ceiling_bytes(const protocol::device& d, backend_kind b) {
  if (b == backend_kind::sim) return 64 << 20;
  return std::min<std::uint64_t>(1ull << 30, d.free_bytes / 8) / 256 * 256;
}

}  // namespace

double add_device(bench_result& r, session& runs, const bench_options& o) {
  const auto d = runs.runner().device();
  const double ceiling = measure_ceiling(runs, ceiling_bytes(d, o.backend), 21);
  r.device = {{"name", d.name},
              {"memory_bytes", d.memory_bytes},
              {"l2_bytes", d.l2_bytes},
              {"multiprocessors", d.multiprocessors},
              {"compute_capability", fmt::format("{}.{}", d.major, d.minor)},
              {"cuda", fmt::format("{}.{}", d.runtime / 1000, d.runtime % 1000 / 10)},
              {"cpu", cpu_name()},
              {"cpu_threads", cores()},
              {"ceiling_gbytes_per_s", ceiling}};
  return ceiling;
}

}  // namespace lab::judge
