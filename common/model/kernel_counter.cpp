#include "model/kernel_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
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
#include "support/parallel.hpp"
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

// A call on its way to its counts, or to a problem.
struct step {
  counted_call call;
  kernel_counter::result result{};
  std::shared_ptr<const discarded_arrays> arrays{};

  std::string name() const { return call.launcher.name + " " + call.size.name(); }
};

// A step may end in any thread, where no exception may leave.
template <class Step>
void attempt(const std::vector<step*>& steps, const Step& what) {
  try {
    what();
  } catch (const std::runtime_error& error) {
    for (auto* one : steps) one->result.problem = error.what();
  }
}

std::vector<std::vector<step*>> groups_of(const std::vector<step*>& steps) {
  std::vector<trace_report> traces;
  for (const auto* one : steps) traces.push_back(one->result.counts.trace);
  std::vector<std::vector<step*>> groups;
  for (const auto& calls : calls_that_share_counts(traces)) {
    groups.emplace_back();
    for (const auto i : calls) groups.back().push_back(steps[i]);
  }
  return groups;
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

  counted_call call_of(const call& one) const {
    return {lab, source, one.launcher, one.size, fraction_of(one.launcher, one.size), seed};
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

  // Both compilations and the drawing of the inputs go on at the same time. The trace is the first that waits for them.
  void trace_call(step& one) {
    tell("compiling the kernel to count its accesses and instructions");
    const auto building = build_for_trace();
    if (!names_tensor_cores(lab, source)) build_counted();
    const auto& call = one.call;
    one.arrays = inputs->of(call.launcher, call.size, call.seed);
    const auto& built = building.get();
    if (built.verdict != verdict_kind::pass) throw std::runtime_error("it does not compile");
    tell("tracing " + one.name());
    // No limit for a kernel: what a trace has counted when it is cut depends on the machine's load.
    auto seen = trace_sample(call, *one.arrays,
                             {.library = built.library, .timeout_s = options.timeout_s, .sample = call.fraction});
    if (!seen.reported) throw std::runtime_error("it cannot be traced: " + seen.detail);
    one.result.counts.trace = std::move(seen.report);
  }

  // Runs the calls after one another, because the counts of two runs at a time would mix in their file.
  std::filesystem::path run(const std::vector<step*>& group) {
    const std::lock_guard one_at_a_time{running};
    for (const auto* one : group) {
      tell("counting the instructions of " + one->name());
      const auto problem = run_counted(*counted, one->call, *one->arrays, one->result.counts.trace, options);
      if (problem.empty()) continue;
      counted->take_counts();
      throw std::runtime_error(problem);
    }
    return counted->take_counts();
  }

  void count_instructions(const std::vector<step*>& group) {
    build_counted().get();
    if (!counted->problem().empty()) throw std::runtime_error("it does not compile for counting");
    const auto counts = run(group);
    tell("compiling with the counts of " + group.front()->name());
    const auto dump = counted->dump_with(counts);
    for (auto* one : group) one->result.counts.profiles = read_profiles(dump, loading_lines(one->result.counts.trace));
  }

  void count(const std::vector<step*>& steps) {
    parallel_for(static_cast<std::int64_t>(steps.size()), [&](std::int64_t i) {
      auto* one = steps[static_cast<std::size_t>(i)];
      attempt({one}, [&] { trace_call(*one); });
    });
    std::vector<step*> timed;
    for (auto* one : steps)
      if (one->result.problem.empty() && why_no_time(one->result.counts.trace).empty()) timed.push_back(one);
    const auto groups = groups_of(timed);
    parallel_for(static_cast<std::int64_t>(groups.size()), [&](std::int64_t i) {
      const auto& group = groups[static_cast<std::size_t>(i)];
      attempt(group, [&] { count_instructions(group); });
    });
  }
};

kernel_counter::kernel_counter(entry lab, std::filesystem::path source, run_options options,
                               std::shared_ptr<call_inputs> inputs)
    : state_{new state{std::move(lab), std::move(source), std::move(options), std::move(inputs)}} {}

kernel_counter::~kernel_counter() = default;

const entry& kernel_counter::lab() const { return state_->lab; }
const std::filesystem::path& kernel_counter::source() const { return state_->source; }
const run_options& kernel_counter::options() const { return state_->options; }

void kernel_counter::stop() { state_->stopped = true; }

std::vector<kernel_counter::result> kernel_counter::count(const std::vector<call>& calls) {
  std::deque<step> steps;
  std::vector<step*> unknown;
  for (const auto& one : calls) {
    auto& next = steps.emplace_back(step{state_->call_of(one)});
    if (auto kept = kept_counts(state_->key_of(next.call)))
      next.result.counts = std::move(*kept);
    else
      unknown.push_back(&next);
  }
  state_->count(unknown);
  for (const auto* one : unknown)
    if (one->result.problem.empty()) keep_counts(state_->key_of(one->call), one->result.counts);
  std::vector<result> results;
  for (auto& one : steps) results.push_back(std::move(one.result));
  return results;
}

}  // namespace lab::judge
