#include "model/modelled_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "machine_code/register_compilation.hpp"
#include "model/demands.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace {

constexpr double most_bytes = 150e6;  // arrays of a modelled size: drawing and tracing larger ones takes seconds
// The band that held 82% of 71 kernels that the model had not seen (docs/design/time-model.md). It reaches further up,
// because the model leaves out more than it invents.
constexpr double below = 1.25, above = 1.8;
constexpr double unvalidated = 1.3;  // wider for a GPU that was not measured
// Wider where atomics take most of the time. The slices of L2 that hold them are not known.
constexpr double contended = 1.6;
constexpr double fewest_registers = 16, most_registers = 255;
constexpr double other_time = 0.05;  // small beside the band that is shown

// Such a kernel has inline PTX for a GPU and other code for the simulator.
bool differs_on_gpu(const std::filesystem::path& source) {
  return read_if_there(source).find("__CUDA_ARCH__") != std::string::npos;
}

// Why a launcher's time is not modelled; empty if it is.
std::string why_not(const kernel_counter& counter, const launcher_spec& launcher) {
  if (launcher.memory == memory_space::host) return "its time is that of copies between host and device";
  if (counter.options().confine) return "untrusted kernels are not modelled";
  if (differs_on_gpu(counter.source())) return "its code on a GPU is not the code that the simulator runs";
  return "";
}

void add_band(modelled_kernel& result, const gpu_parameters& gpu) {
  const double wider = (gpu.validated ? 1 : unvalidated) * (result.time.largest == limit::atomics ? contended : 1);
  result.low_us = result.time.us / below / wider;
  result.high_us = result.time.us * above * wider;
}

modelled_kernel predicted(const trace_report& trace, const std::vector<kernel_profile>& profiles,
                          const gpu_parameters& gpu) {
  auto demanded = demands_of(trace, profiles, gpu);
  modelled_kernel result{.problem = demanded.problem, .demands = std::move(demanded.launches)};
  if (!result.known()) return result;
  result.time = predict(result.demands, gpu);
  add_band(result, gpu);
  return result;
}

// For 53 kernels of a blind round and the solutions, nvcc gives 0.85 to 2.22 times the estimate.
bool registers_matter(const call_counts& counts, double us, const gpu_parameters& gpu) {
  return std::ranges::any_of(std::array{0.8, 2.25}, [&](double factor) {
    auto profiles = counts.profiles;
    for (auto& one : profiles) one.registers = std::clamp(one.registers * factor, fewest_registers, most_registers);
    return std::abs(predicted(counts.trace, profiles, gpu).time.us - us) > other_time * us;
  });
}

modelled_kernel with_estimates(const kernel_counter::result& counted, const gpu_parameters& gpu) {
  if (!counted.problem.empty()) return {.problem = counted.problem};
  auto result = predicted(counted.counts.trace, counted.counts.profiles, gpu);
  result.registers_matter = result.known() && registers_matter(counted.counts, result.time.us, gpu);
  return result;
}

modelled_kernel with_registers(const modelled_kernel& estimated, const call_counts& counts,
                               const std::map<std::string, int>& compiled, const gpu_parameters& gpu) {
  auto profiles = counts.profiles;
  bool any = false;
  for (auto& one : profiles)
    if (const auto found = compiled.find(one.kernel); found != compiled.end()) {
      one.registers = found->second;
      any = true;
    }
  if (!any) return estimated;
  auto result = predicted(counts.trace, profiles, gpu);
  result.compiled_registers = true;
  result.registers_matter = estimated.registers_matter;
  return result;
}

build_request for_registers(const kernel_counter& counter) {
  return {.backend = backend_kind::cuda,
          .source = counter.source(),
          .include = {here().root / "labs" / counter.lab().name},
          .architecture = "sm_90a",
          .device_only = true,
          .line_info = false};  // without it nvcc takes a sixth less
}

}  // namespace

std::vector<modelled_kernel> model(kernel_counter& counter, const std::vector<kernel_counter::call>& calls,
                                   const gpu_parameters& gpu, register_source registers) {
  std::vector<modelled_kernel> results;
  std::vector<kernel_counter::call> counted;
  for (const auto& call : calls) {
    results.push_back({.problem = why_not(counter, call.launcher)});
    if (results.back().known()) counted.push_back(call);
  }
  if (counted.empty()) return results;
  std::optional<register_compilation> compiling;
  if (registers != register_source::estimate) compiling.emplace(for_registers(counter));
  const auto counts = counter.count(counted);
  std::vector<modelled_kernel> estimated;
  for (const auto& one : counts) estimated.push_back(with_estimates(one, gpu));
  if (registers == register_source::nvcc ||
      (compiling && std::ranges::any_of(estimated, &modelled_kernel::registers_matter)))
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (estimated[i].known())
        estimated[i] = with_registers(estimated[i], counts[i].counts, compiling->registers(), gpu);
  auto next = estimated.begin();
  for (auto& result : results)
    if (result.known()) result = std::move(*next++);
  return results;
}

std::optional<problem_size> size_to_model(const launcher_spec& launcher) {
  std::optional<problem_size> best;
  for (const auto& size : launcher.time_sizes) {
    if (refused(launcher, size) || cost_at(launcher, size).bytes > most_bytes) continue;
    if (!best || cost_at(launcher, size).bytes > cost_at(launcher, *best).bytes) best = size;
  }
  return best;
}

}  // namespace lab::judge
