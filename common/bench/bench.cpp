#include "bench/bench.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bench/interleaved.hpp"
#include "bench/kernel_clock.hpp"
#include "bench/machine.hpp"
#include "bench/planned_sizes.hpp"
#include "bench/traced_kernels.hpp"
#include "build/availability.hpp"
#include "build/kernel_variant.hpp"
#include "build/lab_builds.hpp"
#include "judge/case_message.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/random_seed.hpp"

namespace lab::judge {

namespace {

constexpr double most_one_thread_operations = 5e10;  // some twenty seconds of one thread
constexpr double most_all_threads_operations = 1e11;
constexpr double most_cpu_bytes = 5e8;  // CPU programs on more only measure the CPU's memory

// Library 0 is the kernel under test; its rivals follow.
struct bench_run {
  const entry& lab;
  const kernel_variant& variant;
  const bench_options& options;
  session calls;
  std::vector<rival> rivals;
  traced_kernels traced;  // the same kernels; none on a GPU
  std::uint64_t seed;
  built_twice kernel{};
  double ceiling = 0;
};

void add_rates(bench_row& row, const problem_cost& cost, double ceiling) {
  const double ms = row.cold.median;
  if (ms <= 0) return;
  row.gbytes_per_s = cost.bytes / ms / 1e6;
  row.gflops = cost.operations / ms / 1e6;
  if (ceiling > 0) row.of_ceiling = row.gbytes_per_s / ceiling;
}

void add_cpu_times(bench_row& row, const launcher_spec& launcher, const problem_size& size, const test_case& test) {
  if (cost_at(launcher, size).operations <= most_one_thread_operations)
    row.cpu_one_thread_ms = time_on_cpu(launcher.one_thread, test.given());
  if (cost_at(launcher, size).operations <= most_all_threads_operations)
    row.cpu_all_threads_ms = time_on_cpu(launcher.all_threads, test.given());
  row.cpu_fast_ms = time_on_cpu(launcher.fast, test.given());
}

// With rivals, our kernel is timed twice per round, which gives the noise of a ratio.
void add_ratios(bench_row& row, const bench_run& run, const std::vector<std::uint32_t>& libraries,
                const measurement& cold) {
  const auto& ours = cold.milliseconds[0];
  row.cold = summary(ours);
  row.gpu = cold.gpu;
  row.head_start = cold.head_starts[0];
  for (std::size_t i = 1; i < libraries.size(); ++i) {
    const auto ratio = ratios(ours, cold.milliseconds[i]);
    if (libraries[i] == 0)
      row.against_itself = ratio;
    else
      row.peers.push_back(
          {run.rivals[libraries[i] - 1].name, summary(cold.milliseconds[i]).median, ratio, cold.head_starts[i]});
  }
}

call_result time_interleaved(bench_run& run, const test_case& test, const std::vector<std::uint32_t>& libraries,
                             bench_row& row) {
  const auto backend = run.options.backend;
  measurement_plan plan{libraries, 1, copies_beyond_l2(run.calls, test, backend)};
  const auto pilot = measure(run.calls, test, plan);
  if (pilot.found.verdict != verdict_kind::pass) return pilot.found;
  plan.repeats = repeats_within(backend == backend_kind::sim ? 3000 : 20000, pilot, run.options.repeats);
  const auto cold = measure(run.calls, test, plan);
  if (cold.found.verdict != verdict_kind::pass) return cold.found;
  add_ratios(row, run, libraries, cold);
  row.warm = row.cold;
  if (plan.copies > 1) {
    const auto warm = measure(run.calls, test, {{0}, plan.repeats, 1});
    if (warm.found.verdict != verdict_kind::pass) return warm.found;
    row.warm = summary(warm.milliseconds[0]);
  }
  const auto whole = measure(run.calls, test, {{0}, std::min(plan.repeats, 7u), 1, true});
  if (whole.found.verdict == verdict_kind::pass) row.with_copies = summary(whole.milliseconds[0]);
  return whole.found;
}

// Records with one set of inputs and replays with another, so that recorded outputs are wrong and get no time.
void add_kernel_time(bench_row& row, const bench_run& run, const launcher_spec& launcher, const problem_size& size,
                     const test_case& test) {
  if (run.options.progress)
    run.options.progress(fmt::format("timing {} {} without its host code", launcher.name, size.name()));
  const auto expected_by = oracle_for(launcher, size);
  const auto fresh = drawn(launcher, size, run.seed + 1, inputs::real);
  const test_case other{launcher, size, run.seed + 1, with_scalars_of(test.given(), fresh), expected_by};
  const auto case_number = [&](int i) -> const test_case& { return i == 0 ? test : other; };
  const auto alone =
      time_kernels(run.options, run.kernel, launcher.memory, std::min(run.options.repeats, 15), case_number);
  row.kernel_only = summary(alone.ms);
  row.operations = alone.why_not.empty() ? alone.summary : "not timed alone: " + alone.why_not;
}

// Counts the earlier launcher in the same file, the student's own.
void add_own_step_before(bench_run& run, const step_before& before, const problem_size& size, bench_row& row) {
  auto earlier = run.traced.count(before.lab.definition.launchers.front(), size, {0}, run.seed).counted;
  if (earlier.empty()) return;
  earlier[0].name = before.name;
  row.counted.push_back(std::move(earlier[0]));
}

// The libraries' counts. Without those of the kernel under test the result says why.
call_result count_traffic(bench_run& run, const launcher_spec& launcher, const problem_size& size,
                          const std::vector<std::uint32_t>& libraries, bench_row& row) {
  auto found = run.traced.count(launcher, size, libraries, run.seed);
  if (found.verdict != verdict_kind::pass)
    return {found.verdict, fmt::format("its traffic cannot be counted: {}\n", found.detail), {}, {}};
  row.counted = std::move(found.counted);
  const auto before = run.options.alone ? std::nullopt : find_step_before(run.lab, launcher, size);
  if (before && before->in_same_file) add_own_step_before(run, *before, size, row);
  const auto name = before ? before->name : run.lab.definition.baseline;
  const std::span others = std::span{row.counted}.subspan(row.counted.empty() ? 0 : 1);
  if (std::ranges::count(others, name, &kernel_counts::name) > 0) row.step_before = name;
  return {};
}

bench_row measure_size(bench_run& run, const launcher_spec& launcher, const planned_size& planned) {
  const auto& size = planned.size;
  if (run.options.progress)
    run.options.progress(fmt::format("{} {} {}", planned.time ? "timing" : "counting", launcher.name, size.name()));
  bench_row row{run.lab.name, run.variant.word, launcher.name, size.name()};
  if (planned.time && !planned.count && too_large(launcher, size, run.options)) {
    row.verdict = verdict_kind::skipped;
    row.message = fmt::format("too large for the simulator; --size {} times it anyway", size.name());
    return row;
  }
  const test_case test{launcher, size, run.seed, inputs::real, oracle_for(launcher, size)};
  judged_case judged{{case_phase::values, launcher.name, size, inputs::real}};
  auto libraries = right_libraries(run.calls, run.rivals, test, run.options, judged.found);
  if (!libraries.empty() && planned.count) judged.found = count_traffic(run, launcher, size, libraries, row);
  if (libraries.size() > 1) libraries.push_back(0);
  if (!libraries.empty() && planned.time && judged.found.verdict == verdict_kind::pass)
    judged.found = time_interleaved(run, test, libraries, row);
  if (judged.found.verdict != verdict_kind::pass) {
    const auto failed = as_case(run.lab.name, launcher, judged, run.seed);
    return {run.lab.name, run.variant.word, launcher.name, size.name(), failed.verdict, failed.message};
  }
  if (!planned.time) return row;
  if (run.options.kernel_only) add_kernel_time(row, run, launcher, size, test);
  const auto cost = cost_at(launcher, size);
  add_rates(row, cost, run.ceiling);
  if (run.options.cpu && cost.bytes <= most_cpu_bytes) add_cpu_times(row, launcher, size, test);
  return row;
}

void measure_all(bench_run& run, bench_result& result) {
  run.ceiling = add_device(result, run.calls, run.options);
  for (const auto& launcher : run.lab.definition.launchers)
    for (const auto& planned : sizes_to_measure(launcher, run.options))
      result.rows.push_back(measure_size(run, launcher, planned));
}

// Builds the kernel and all rivals that compile, and counts or times them.
void measure_with_rivals(const entry& lab, const kernel_variant& variant, const bench_options& options,
                         bench_result& result) {
  const auto built = build_with_rivals(lab, variant.source, rivals_of(lab, options), options);
  if (built.ours.verdict != verdict_kind::pass) {
    result.rows.push_back({lab.name, variant.word, {}, {}, built.ours.verdict, built.ours.log});
    return;
  }
  std::vector<kernel_to_trace> named{{"", variant.source, lab}};
  for (const auto& one : built.rivals) named.push_back({one.name, one.source, lab_of(one, lab)});
  const bool counted = options.backend == backend_kind::sim;
  bench_run run{lab,
                variant,
                options,
                session{options, built.libraries},
                built.rivals,
                counted ? traced_kernels{named, options} : traced_kernels{},
                options.seed ? *options.seed : fresh_seed()};
  if (options.kernel_only && options.backend == backend_kind::cuda)
    run.kernel = {built.ours.library, build_device_code(lab, variant.source, options).library, false};
  measure_all(run, result);
}

}  // namespace

bench_result bench(const entry& lab, const kernel_variant& variant, const bench_options& options) {
  require_fitting(lab, options.sizes);
  bench_result result{.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                      .backend = std::string{word(options.backend)}};
  try {
    const auto why_not = why_not_here(lab, options);
    if (why_not.empty())
      measure_with_rivals(lab, variant, options, result);
    else
      result.rows.push_back({lab.name, variant.word, {}, {}, verdict_kind::skipped, why_not});
  } catch (const runner_failure& failure) {
    result.rows.push_back({lab.name, variant.word, {}, {}, verdict_kind::infra_error, failure.what()});
  }
  return result;
}

}  // namespace lab::judge
