#include "trace/trace_plan.hpp"

#include <algorithm>
#include <numeric>

#include "lab/fitting_sizes.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

// The tracer sees about ten million accesses a second.
constexpr double at_once = 1e6;          // accesses of all sizes that are traced in any case
constexpr double most = 40e6;            // accesses of a size that is traced for what it executes
constexpr double most_run = 10 * most;   // accesses of a size that is run to learn what it executes
constexpr double most_large = 5 * most;  // accesses of a size that is traced because a trace takes no longer than a run
constexpr double few_bytes = 256 << 10, few_operations = 1 << 20;

std::vector<problem_size> candidates(const launcher_spec& launcher, const std::vector<problem_size>& asked) {
  auto all = sizes_for(launcher, asked, launcher.check_sizes);
  std::erase_if(all, [&](const problem_size& size) { return refused(launcher, size); });
  std::ranges::stable_sort(all, {}, [&](const problem_size& size) { return estimated_accesses(launcher, size); });
  return all;
}

bool has_gate_at(const launcher_spec& launcher, const problem_size& size) {
  return std::ranges::find(launcher.gates, size, &gate::at) != launcher.gates.end();
}

// Sizes of gates that the check itself does not use.
std::vector<problem_size> further_sizes_of_gates(const launcher_spec& launcher,
                                                 const std::vector<problem_size>& known) {
  std::vector<problem_size> further;
  for (const auto& gate : launcher.gates)
    if (std::ranges::find(known, gate.at) == known.end() && std::ranges::find(further, gate.at) == further.end())
      further.push_back(gate.at);
  return further;
}

}  // namespace

trace_plan plan_traces(const lab_definition& definition, const std::vector<problem_size>& asked, bool all) {
  trace_plan plan;
  for (const auto& launcher : definition.launchers) {
    double left = at_once / static_cast<double>(definition.launchers.size());
    const auto sizes = candidates(launcher, asked);
    for (const auto& size : sizes) {
      const bool first = &size == &sizes.front();
      const double accesses = estimated_accesses(launcher, size);
      left -= accesses;
      const bool large = launcher.traces_large_sizes && accesses <= most_large;
      const bool now = first || left >= 0 || all || large || has_gate_at(launcher, size);
      (now ? plan.traced : accesses <= most_run ? plan.rest : plan.large).push_back({&launcher, size});
    }
    if (sizes.empty()) continue;  // none of the sizes asked for fits this launcher
    for (const auto& size : further_sizes_of_gates(launcher, sizes)) plan.traced.push_back({&launcher, size});
  }
  return plan;
}

bool affordable(const trace_target& at) { return estimated_accesses(*at.launcher, at.size) <= most; }

std::vector<std::size_t> largest_first(const std::vector<trace_target>& targets) {
  std::vector<std::size_t> order(targets.size());
  std::iota(order.begin(), order.end(), 0);
  const auto work = [&](std::size_t i) { return estimated_accesses(*targets[i].launcher, targets[i].size); };
  const auto largest = std::ranges::max_element(order, {}, work);
  if (largest != order.end()) std::rotate(order.begin(), largest, largest + 1);
  return order;
}

problem_size telling_size(const launcher_spec& launcher, const std::vector<problem_size>& sizes) {
  const auto work_at = [&](const problem_size& size) {
    const auto cost = cost_at(launcher, size);
    return std::pair{cost.bytes, cost.operations};
  };
  auto descending = sizes;
  std::ranges::stable_sort(descending, std::greater{}, work_at);
  const auto takes_no_time = [&](const problem_size& size) {
    const auto [bytes, operations] = work_at(size);
    return bytes <= few_bytes && operations <= few_operations;
  };
  const auto largest = std::ranges::find_if(descending, takes_no_time);
  return largest == descending.end() ? descending.back() : *largest;
}

std::vector<problem_size> smallest_and_largest(const launcher_spec& launcher, const std::vector<trace_target>& traced) {
  std::vector<problem_size> sizes;
  for (const auto& at : traced)
    if (at.launcher == &launcher) sizes.push_back(at.size);
  const auto work = [&](const problem_size& size) { return estimated_accesses(launcher, size); };
  if (sizes.empty()) return {};
  const auto [least, most] = std::ranges::minmax(sizes, {}, work);
  return least == most ? std::vector{least} : std::vector{least, most};
}

problem_size size_to_count(const launcher_spec& launcher) {
  if (launcher.count_at.axes() > 0) return launcher.count_at;
  return launcher.gates.empty() ? telling_size(launcher, launcher.check_sizes) : launcher.gates.front().at;
}

}  // namespace lab::judge
