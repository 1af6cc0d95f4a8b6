#include "model/modelled_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "build/lab_builds.hpp"
#include "model/counted_build.hpp"
#include "model/demands.hpp"
#include "protocol/launcher_call.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double sampled_accesses = 1e6;
constexpr double most_bytes = 300e6;  // arrays of a modelled size
constexpr double hang_s = 5;
// The band that held 82% of 71 kernels that the model had not seen (docs/design/time-model.md). It reaches further up,
// because the model leaves out more than it invents.
constexpr double below = 1.25, above = 1.8;
constexpr double unvalidated = 1.3;  // wider for a GPU that was not measured
// Wider where atomics take most of the time. The slices of L2 that hold them are not known.
constexpr double contended = 1.6;

// The part of a grid that makes about so many accesses.
double fraction_of(const launcher_spec& launcher, const problem_size& size) {
  const double all = std::max(1., estimated_accesses(launcher, size));
  return std::clamp(sampled_accesses / all, 1e-7, 1.);
}

// Runs the library that counts; its counts are written when the runner ends.
std::string run_counted(const counted_build& built, const launcher_spec& launcher, const arguments& given,
                        double fraction, const run_options& options) {
  if (!built.problem().empty()) return "it does not compile for counting";
  try {
    auto runner_settings = runner_options_of(options, {built.library()});
    runner_settings.sample = fraction;
    runner_process runner{runner_settings};
    const auto call = call_unjudged(runner, launcher, given, lay_out(given, zones::bare), 1, options.timeout_s);
    runner.finish(hang_s);
    return call.end.verdict == verdict_kind::pass ? "" : "its counted run failed: " + call.end.detail;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// Such a kernel has inline PTX for a GPU and other code for the simulator.
bool differs_on_gpu(const std::filesystem::path& source) {
  return read_if_there(source).find("__CUDA_ARCH__") != std::string::npos;
}

void add_band(modelled_kernel& result, const gpu_parameters& gpu) {
  const double wider = (gpu.validated ? 1 : unvalidated) * (result.time.largest == limit::atomics ? contended : 1);
  result.low_us = result.time.us / below / wider;
  result.high_us = result.time.us * above * wider;
}

}  // namespace

modelled_kernel model(const entry& lab, const std::filesystem::path& source, const launcher_spec& launcher,
                      const problem_size& size, const gpu_parameters& gpu, const run_options& options) {
  modelled_kernel result;
  const auto fail = [&](std::string why) { return result.problem = std::move(why), result; };
  if (launcher.memory == memory_space::host) return fail("its time is that of copies between host and device");
  if (options.confine) return fail("untrusted kernels are not modelled");
  if (differs_on_gpu(source)) return fail("its code on a GPU is not the code that the simulator runs");
  const double fraction = fraction_of(launcher, size);
  const temporary_folder folder{"model"};
  auto counted = std::async(std::launch::async, [&] { return counted_build{lab, source, folder.path()}; });
  const auto built = build_traced(lab, source, options);
  if (built.verdict != verdict_kind::pass) return counted.wait(), fail("it does not compile");
  const auto traced = trace(launcher, size,
                            {.seed = 1,
                             .library = built.library,
                             .timeout_s = options.timeout_s,
                             .kernel_limit_s = hang_s,
                             .sample = fraction});
  const auto counting = counted.get();
  if (!traced.reported) return fail("it cannot be traced: " + traced.detail);
  const auto given = drawn(launcher, size, 1, inputs::real);
  if (const auto why = run_counted(counting, launcher, given, fraction, options); !why.empty()) return fail(why);
  auto demanded = demands_of(traced.report, counting.profiles(loading_lines(traced.report)), gpu);
  if (!demanded.problem.empty()) return fail(demanded.problem);
  result.demands = std::move(demanded.launches);
  result.time = predict(result.demands, gpu);
  add_band(result, gpu);
  return result;
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
