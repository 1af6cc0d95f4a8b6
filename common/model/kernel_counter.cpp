#include "model/kernel_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <set>

#include "build/lab_builds.hpp"
#include "build/source_texts.hpp"
#include "build/toolchain.hpp"
#include "model/counted_build.hpp"
#include "model/demands.hpp"
#include "model/kept_counts.hpp"
#include "protocol/launcher_call.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double sampled_accesses = 1e6;
constexpr double writing_s = 5;  // of the counts, at the end of a runner
constexpr std::uint64_t seed = 1;

// The part of a grid that makes about so many accesses.
double fraction_of(const launcher_spec& launcher, const problem_size& size) {
  const double all = std::max(1., estimated_accesses(launcher, size));
  return std::clamp(sampled_accesses / all, 1e-7, 1.);
}

// The instructions of a kernel are those of all its launches together, so each launch needs its whole sample.
bool launches_a_kernel_again(const trace_report& traced) {
  std::set<std::string> known;
  return std::ranges::any_of(traced.launches, [&](const launch& one) { return !known.insert(one.kernel).second; });
}

// Products on tensor cores get no time. Only a trace knows whether the kernel runs any.
bool names_tensor_cores(const entry& lab, const std::filesystem::path& source) {
  const auto texts = texts_of(source, {here().root / "labs" / lab.name});
  return std::ranges::any_of(std::array{"wmma", "wgmma", "mma.sync"},
                             [&](const char* name) { return texts.find(name) != texts.npos; });
}

traced_call trace_sample(const counted_call& call, const discarded_arrays& arrays, trace_options options) {
  auto seen = trace(call.launcher, arrays, options);
  if (!why_no_time(seen.report).empty() || !launches_a_kernel_again(seen.report)) return seen;
  options.sampled_blocks.assign(seen.report.launches.size(), ~0u);
  return trace(call.launcher, arrays, options);
}

// Runs the library that counts, the blocks that were traced; its counts are written when the runner ends.
std::string run_counted(const counted_build& built, const counted_call& call, const discarded_arrays& arrays,
                        const trace_report& traced, const run_options& options) {
  try {
    auto runner_settings = runner_options_of(options, {built.library()});
    runner_settings.sample = call.fraction;
    for (const auto& one : traced.launches) runner_settings.sampled_blocks.push_back(one.blocks_run);
    runner_process runner{runner_settings};
    const auto end = call_without_outputs(runner, call.launcher, arrays, options.timeout_s);
    runner.finish(writing_s);
    return end.verdict == verdict_kind::pass ? "" : "its counted run failed: " + end.detail;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

struct kernel_counter::state {
  entry lab;
  std::filesystem::path source;
  run_options options;
  std::shared_ptr<call_inputs> inputs;
  temporary_folder folder{"model"};
  std::mutex beginning{}, running{}, telling{};
  std::optional<counted_build> counted{};
  std::shared_future<void> counted_is_built{};
  std::shared_future<build_result> traced{};
  std::atomic<bool> stopped = false;

  counted_call call_of(const launcher_spec& launcher, const problem_size& size) const {
    return {lab, source, launcher, size, fraction_of(launcher, size), seed};
  }
  std::string key_of(const counted_call& call) const { return counts_key(call, own_identity(), options); }

  // Each step begins with it.
  void tell(const std::string& what) {
    if (stopped) throw std::runtime_error("it was not counted to the end");
    const std::lock_guard one_at_a_time{telling};
    if (options.progress) options.progress(what);
  }

  std::shared_future<void> build_counted() {
    const std::lock_guard one_at_a_time{beginning};
    if (!counted_is_built.valid())
      counted_is_built = std::async(std::launch::async, [&] { counted.emplace(lab, source, folder.path()); }).share();
    return counted_is_built;
  }

  std::shared_future<build_result> build_for_trace() {
    const std::lock_guard one_at_a_time{beginning};
    if (!traced.valid()) traced = std::async(std::launch::async, [&] { return build_traced(lab, source, options); });
    return traced;
  }

  // The counts of two runs would mix in one file.
  std::string run(const counted_call& call, const discarded_arrays& arrays, const trace_report& traced,
                  std::string& dump) {
    build_counted().get();
    if (!counted->problem().empty()) return "it does not compile for counting";
    std::unique_lock one_at_a_time{running};
    tell(fmt::format("counting the instructions of {} {}", call.launcher.name, call.size.name()));
    if (auto problem = run_counted(*counted, call, arrays, traced, options); !problem.empty()) return problem;
    const auto counts = counted->take_counts();
    one_at_a_time.unlock();
    tell(fmt::format("compiling with the counts of {} {}", call.launcher.name, call.size.name()));
    dump = counted->dump_with(counts);
    return "";
  }

  // Both compilations and the drawing of the inputs go on at the same time. The trace is the first that waits for them.
  result count(const counted_call& call) {
    tell("compiling the kernel to count its accesses and instructions");
    const auto building = build_for_trace();
    if (!names_tensor_cores(lab, source)) build_counted();
    const auto arrays = inputs->of(call.launcher, call.size, call.seed);
    const auto& built = building.get();
    if (built.verdict != verdict_kind::pass) return {"it does not compile"};
    tell(fmt::format("tracing {} {}", call.launcher.name, call.size.name()));
    // No limit for a kernel: what a trace has counted when it is cut depends on the machine's load.
    const auto seen = trace_sample(call, *arrays,
                                   {.library = built.library, .timeout_s = options.timeout_s, .sample = call.fraction});
    if (!seen.reported) return {"it cannot be traced: " + seen.detail};
    if (!why_no_time(seen.report).empty()) return {"", {seen.report, {}}};
    std::string dump;
    if (auto problem = run(call, *arrays, seen.report, dump); !problem.empty()) return {std::move(problem)};
    auto profiles = read_profiles(dump, loading_lines(seen.report));
    return {"", {seen.report, std::move(profiles)}};
  }
};

kernel_counter::kernel_counter(entry lab, std::filesystem::path source, run_options options,
                               std::shared_ptr<call_inputs> inputs)
    : state_{new state{std::move(lab), std::move(source), std::move(options), std::move(inputs)}} {}

kernel_counter::~kernel_counter() = default;

const std::filesystem::path& kernel_counter::source() const { return state_->source; }
const run_options& kernel_counter::options() const { return state_->options; }

void kernel_counter::stop() { state_->stopped = true; }

kernel_counter::result kernel_counter::count(const launcher_spec& launcher, const problem_size& size) {
  const auto call = state_->call_of(launcher, size);
  const auto key = state_->key_of(call);
  if (auto kept = kept_counts(key)) return {"", std::move(*kept)};
  try {
    auto counted = state_->count(call);
    if (counted.problem.empty()) keep_counts(key, counted.counts);
    return counted;
  } catch (const std::runtime_error& error) {
    return {error.what()};
  }
}

}  // namespace lab::judge
