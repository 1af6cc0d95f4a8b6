#include "bench/verify/two_clocks.hpp"

#include <algorithm>

#include "bench/interleaved.hpp"
#include "judge/case_message.hpp"

namespace lab::judge {

namespace {

constexpr double first_clock_budget_ms = 200;
constexpr double loop_ms = 4;  // of the shorter loop; the host's own part of it cancels out
constexpr double most_loop_calls = 400;
constexpr double rest_for_work = 10, least_rest_ms = 10, most_rest_ms = 100;

// A kernel that draws much power makes the GPU lower its clock, and more so in a loop. After a rest the clock is high,
// as it is under Nsight Compute, which rests between the calls that it profiles.
double rest_after(double busy_ms) { return std::clamp(rest_for_work * busy_ms, least_rest_ms, most_rest_ms); }

test_case case_of(const verify_run& run, const launcher_spec& launcher, const problem_size& size) {
  return {launcher, size, run.seed, inputs::real, oracle_for(launcher, size)};
}

call_result time_by_events(verify_run& run, const test_case& test, measurement_plan& plan, verified_row& row) {
  const auto pilot = measure(run.calls, test, plan);
  if (pilot.found.verdict != verdict_kind::pass) return pilot.found;
  plan.repeats = repeats_within(first_clock_budget_ms, pilot, run.options.repeats);
  plan.rest_ms = rest_after(pilot.milliseconds[0].front());
  const auto cold = measure(run.calls, test, plan);
  if (cold.found.verdict != verdict_kind::pass) return cold.found;
  row.first = summary(cold.milliseconds[0]);
  row.head_start = cold.head_starts[0];
  return cold.found;
}

call_result time_by_loop(verify_run& run, const test_case& test, measurement_plan plan, verified_row& row) {
  plan.what = protocol::command::loop;
  plan.repeats = static_cast<unsigned>(std::clamp(loop_ms / std::max(row.first.median, 1e-3), 2.0, most_loop_calls));
  plan.rest_ms = rest_after(2 * plan.repeats * row.first.median);
  const auto loop = measure(run.calls, test, plan);
  row.second = loop.milliseconds.empty() ? samples{} : summary(loop.milliseconds[0]);
  row.clock = second_clock::loop;
  return loop.found;
}

// Nsight Compute's times come with confirm_by_ncu(), when all rows are there.
call_result time_again(verify_run& run, const launcher_spec& launcher, const test_case& test,
                       const measurement_plan& plan, verified_row& row) {
  row.why_no_ncu = run.profiler.why_not(launcher, test);
  if (row.why_no_ncu.empty()) row.why_no_ncu = run.profiler.call(test, plan, run.result.rows.size());
  if (!row.why_no_ncu.empty()) return time_by_loop(run, test, plan, row);
  row.clock = second_clock::ncu;
  return {};
}

measurement_plan plan_for(verify_run& run, const test_case& test) {
  return {{0}, 1, copies_beyond_l2(run.calls, test, run.options.backend)};
}

}  // namespace

verified_row verify_size(verify_run& run, const launcher_spec& launcher, const problem_size& size) {
  verified_row row{run.lab.name, run.variant.word, launcher.name, size.name()};
  const auto test = case_of(run, launcher, size);
  judged_case judged{{case_phase::values, launcher.name, size, inputs::real}, run.calls.call(test)};
  auto plan = plan_for(run, test);
  if (judged.found.verdict == verdict_kind::pass) judged.found = time_by_events(run, test, plan, row);
  if (judged.found.verdict == verdict_kind::pass && row.judged())
    judged.found = time_again(run, launcher, test, plan, row);
  if (judged.found.verdict == verdict_kind::pass) return row;
  const auto failed = as_case(run.lab.name, launcher, judged, run.seed);
  return {run.lab.name, run.variant.word, launcher.name, size.name(), failed.verdict, failed.message};
}

}  // namespace lab::judge
