#include "bench/planned_sizes.hpp"

#include <algorithm>

#include "lab/fitting_sizes.hpp"
#include "trace/trace_plan.hpp"

namespace lab::judge {

namespace {

constexpr double most_sim_bytes = 256e6;     // more takes minutes on the simulator
constexpr double most_sim_operations = 1e9;  // likewise

}  // namespace

std::vector<planned_size> sizes_to_measure(const launcher_spec& launcher, const bench_options& options) {
  std::vector<planned_size> all;
  const auto planned = [&](const problem_size& size) -> planned_size& {
    const auto same = std::ranges::find(all, size, &planned_size::size);
    if (same != all.end()) return *same;
    all.push_back({size});
    return all.back();
  };
  const bool sim = options.backend == backend_kind::sim;
  if (sim)
    for (const auto& size : sizes_for(launcher, options.sizes, {size_to_count(launcher)})) planned(size).count = true;
  if (!sim || options.simulator_time)
    for (const auto& size : sizes_for(launcher, options.sizes, launcher.time_sizes)) planned(size).time = true;
  std::erase_if(all, [&](const planned_size& one) { return refused(launcher, one.size); });
  return all;
}

bool too_large(const launcher_spec& launcher, const problem_size& size, const bench_options& options) {
  if (options.backend != backend_kind::sim || !options.sizes.empty()) return false;
  const auto cost = cost_at(launcher, size);
  return cost.bytes > most_sim_bytes || cost.operations > most_sim_operations;
}

}  // namespace lab::judge
