#include "bench/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/machine.hpp"
#include "bench/planned_sizes.hpp"
#include "bench/verify/two_clocks.hpp"
#include "build/availability.hpp"
#include "build/lab_builds.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/random_seed.hpp"

namespace lab::judge {

namespace {

constexpr double many_bytes = 300e6;  // more take the host minutes to make, to copy and to judge

struct planned_row {
  const launcher_spec* launcher;
  problem_size size;
};

// Each launcher's sizes from the smallest on.
std::vector<planned_row> rows_to_verify(const verify_run& run) {
  std::vector<planned_row> rows;
  for (const auto& launcher : run.lab.definition.launchers) {
    const auto first = rows.size();
    for (const auto& planned : sizes_to_measure(launcher, run.options))
      if (planned.time) rows.push_back({&launcher, planned.size});
    std::ranges::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), {},
                             [](const planned_row& row) { return cost_at(*row.launcher, row.size).bytes; });
  }
  return rows;
}

// A large size is left out if a smaller one of the launcher was judged, since it would say the same.
bool says_no_more(const verify_run& run, const planned_row& next) {
  return run.options.sizes.empty() && cost_at(*next.launcher, next.size).bytes > many_bytes &&
         std::ranges::any_of(run.result.rows, [&](const verified_row& row) {
           return row.lab == run.lab.name && row.variant == run.variant.word && row.launcher == next.launcher->name &&
                  row.judged();
         });
}

verified_row left_out(const verify_run& run, const planned_row& next) {
  return {
      run.lab.name,          run.variant.word,
      next.launcher->name,   next.size.name(),
      verdict_kind::skipped, fmt::format("a smaller size was timed; --size {} times this one too", next.size.name())};
}

// Where the profiler may not run, it says so only at its end: then loops confirm what it was to confirm.
void confirm_by_ncu(verify_run& run, const std::vector<planned_row>& rows, std::size_t first) {
  try {
    for (const auto& [row, times] : run.profiler.times()) run.result.rows[row].second = summary(times);
  } catch (const std::runtime_error& error) {
    run.profiler.give_up(error.what());
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (auto& row = run.result.rows[first + i]; row.clock == second_clock::ncu)
        row = verify_size(run, *rows[i].launcher, rows[i].size);
  }
}

void verify_rows(verify_run& run) {
  const auto rows = rows_to_verify(run);
  const auto first = run.result.rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [launcher, size] = rows[i];
    if (run.options.progress)
      run.options.progress(
          fmt::format("{} {} by two clocks, {} of {}", launcher->name, size.name(), i + 1, rows.size()));
    run.result.rows.push_back(says_no_more(run, rows[i]) ? left_out(run, rows[i]) : verify_size(run, *launcher, size));
  }
  confirm_by_ncu(run, rows, first);
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
                 session{options, {built.library}},
                 ncu_clock{options, built.library},
                 options.seed ? *options.seed : fresh_seed(),
                 result};
  if (result.device.empty()) {
    bench_result machine;
    add_device(machine, run.calls, options);
    result.device = machine.device;
  }
  verify_rows(run);
}

}  // namespace

std::string_view word(second_clock which) {
  return which == second_clock::none ? "none" : which == second_clock::ncu ? "ncu" : "loop";
}

bool verified_row::judged() const { return verdict == verdict_kind::pass && first.median >= least_judged_ms; }

bool verified_row::varies() const { return judged() && first.p95 > (1 + calls_vary_by) * first.min; }

bool verified_row::differs() const { return judged() && !varies() && std::abs(ratio() - 1) > clocks_differ_by; }

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
