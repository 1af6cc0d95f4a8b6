#include "model/modelled_kernel.hpp"

#include "model/demands.hpp"
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

modelled_kernel predicted(const kernel_counter::result& counted, const gpu_parameters& gpu) {
  if (!counted.problem.empty()) return {.problem = counted.problem};
  auto demanded = demands_of(counted.counts.trace, counted.counts.profiles, gpu);
  modelled_kernel result{.problem = demanded.problem,
                         .demands = std::move(demanded.launches),
                         .compiled_registers = counted.compiled_registers};
  if (!result.known()) return result;
  result.time = predict(result.demands, gpu);
  add_band(result, gpu);
  return result;
}

}  // namespace

std::vector<modelled_kernel> model(kernel_counter& counter, const std::vector<kernel_counter::call>& calls,
                                   const gpu_parameters& gpu) {
  std::vector<modelled_kernel> results;
  std::vector<kernel_counter::call> counted;
  for (const auto& call : calls) {
    results.push_back({.problem = why_not(counter, call.launcher)});
    if (results.back().known()) counted.push_back(call);
  }
  const auto counts = counter.count(counted);
  auto next = counts.begin();
  for (auto& result : results)
    if (result.known()) result = predicted(*next++, gpu);
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
