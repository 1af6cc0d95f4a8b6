#include "bench/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/interleaved.hpp"
#include "bench/kernel_clock.hpp"
#include "bench/machine.hpp"
#include "bench/planned_sizes.hpp"
#include "build/availability.hpp"
#include "build/lab_builds.hpp"
#include "judge/case_message.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/random_seed.hpp"
#include "trace/ncu.hpp"

namespace lab::judge {

namespace {

constexpr double first_clock_budget_ms = 400;
constexpr double loop_ms = 8;  // of the shorter loop; the host's own part of it cancels out
constexpr double most_loop_calls = 400;
constexpr double ncu_timeout_s = 120;

struct verify_run {
  const entry& lab;
  const kernel_variant& variant;
  const bench_options& options;
  std::filesystem::path library;
  session calls;
  std::uint64_t seed;
};

call_result time_by_events(verify_run& run, const test_case& test, measurement_plan& plan, verified_row& row) {
  const auto pilot = measure(run.calls, test, plan);
  if (pilot.found.verdict != verdict_kind::pass) return pilot.found;
  plan.repeats = repeats_within(first_clock_budget_ms, pilot, run.options.repeats);
  const auto cold = measure(run.calls, test, plan);
  if (cold.found.verdict != verdict_kind::pass) return cold.found;
  row.first = summary(cold.milliseconds[0]);
  row.head_start = cold.head_starts[0];
  return cold.found;
}

call_result time_by_loop(verify_run& run, const test_case& test, measurement_plan plan, verified_row& row) {
  plan.what = protocol::command::loop;
  plan.repeats = static_cast<unsigned>(std::clamp(loop_ms / std::max(row.first.median, 1e-3), 2.0, most_loop_calls));
  const auto loop = measure(run.calls, test, plan);
  row.second = loop.milliseconds.empty() ? samples{} : summary(loop.milliseconds[0]);
  row.clock = second_clock::loop;
  return loop.found;
}

// Nsight Compute times kernels alone, without fills, copies and the gaps between kernels.
std::string why_not_one_kernel(const verify_run& run, const launcher_spec& launcher, const test_case& test) {
  if (launcher.memory == memory_space::host) return "the launcher copies its arrays itself";
  const auto known = record(run.options, run.library, test);
  if (!known.why_not.empty()) return known.why_not;
  const auto work = std::ranges::count_if(known.recording.operations, [](const replay::operation& op) {
    return op.what != replay::action::attribute && op.what != replay::action::barrier;
  });
  return work == 1 && known.recording.operations.back().what == replay::action::launch
             ? ""
             : fmt::format("a call is {}", replay::summary(known.recording));
}

// Many calls in one profiled process, since the first ones find a GPU that has not raised its clocks. Empty, with the
// reason in the row, where Nsight Compute may not run.
std::vector<double> times_by_ncu(const verify_run& run, const launcher_spec& launcher, const test_case& test,
                                 verified_row& row) {
  row.why_no_ncu = ncu().empty() ? "ncu is not installed" : why_not_one_kernel(run, launcher, test);
  if (!row.why_no_ncu.empty()) return {};
  try {
    auto all = ncu_times(run.options, run.library, [&](runner_process& runner) {
      return measure(runner, test, {.libraries = {0}, .what = protocol::command::loop}, ncu_timeout_s).found.verdict;
    });
    if (all.empty()) row.why_no_ncu = "ncu saw no kernel";
    return {all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()};
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    row.why_no_ncu = text.substr(0, text.find('\n'));
    return {};
  }
}

verified_row verify_size(verify_run& run, const launcher_spec& launcher, const problem_size& size) {
  if (run.options.progress) run.options.progress(fmt::format("{} {} by two clocks", launcher.name, size.name()));
  verified_row row{run.lab.name, run.variant.word, launcher.name, size.name()};
  const test_case test{launcher, size, run.seed, inputs::real, oracle_for(launcher, size)};
  judged_case judged{{case_phase::values, launcher.name, size, inputs::real}, run.calls.call(test)};
  measurement_plan plan{{0}, 1, copies_beyond_l2(run.calls, test, run.options.backend)};
  if (judged.found.verdict == verdict_kind::pass) judged.found = time_by_events(run, test, plan, row);
  if (judged.found.verdict == verdict_kind::pass) {
    if (const auto kernels = times_by_ncu(run, launcher, test, row); !kernels.empty()) {
      row.second = summary(kernels);
      row.clock = second_clock::ncu;
    } else {
      judged.found = time_by_loop(run, test, plan, row);
    }
  }
  if (judged.found.verdict == verdict_kind::pass) return row;
  const auto failed = as_case(run.lab.name, launcher, judged, run.seed);
  return {run.lab.name, run.variant.word, launcher.name, size.name(), failed.verdict, failed.message};
}

void verify_built(const entry& lab, const kernel_variant& variant, const bench_options& options, verification& result) {
  const auto built = build_for(lab, variant.source, options);
  if (built.verdict != verdict_kind::pass) {
    result.rows.push_back({lab.name, variant.word, {}, {}, built.verdict, built.log});
    return;
  }
  verify_run run{lab,
                 variant,
                 options,
                 built.library,
                 session{options, {built.library}},
                 options.seed ? *options.seed : fresh_seed()};
  if (result.device.empty()) {
    bench_result machine;
    add_device(machine, run.calls, options);
    result.device = machine.device;
  }
  for (const auto& launcher : lab.definition.launchers)
    for (const auto& planned : sizes_to_measure(launcher, options))
      if (planned.time) result.rows.push_back(verify_size(run, launcher, planned.size));
}

}  // namespace

std::string_view word(second_clock which) { return which == second_clock::ncu ? "ncu" : "loop"; }

bool verified_row::judged() const { return verdict == verdict_kind::pass && first.median >= least_judged_ms; }

bool verified_row::differs() const { return judged() && std::abs(ratio() - 1) > clocks_differ_by; }

void verify_times(const entry& lab, const kernel_variant& variant, const bench_options& options, verification& result) {
  require_fitting(lab, options.sizes);
  try {
    const auto why_not = why_not_here(lab, options);
    if (why_not.empty())
      verify_built(lab, variant, options, result);
    else
      result.rows.push_back({lab.name, variant.word, {}, {}, verdict_kind::skipped, why_not});
  } catch (const runner_failure& failure) {
    result.rows.push_back({lab.name, variant.word, {}, {}, verdict_kind::infra_error, failure.what()});
  }
}

}  // namespace lab::judge
