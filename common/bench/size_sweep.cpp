#include "bench/size_sweep.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "bench/interleaved.hpp"
#include "bench/machine.hpp"
#include "judge/case_message.hpp"
#include "support/random_seed.hpp"

namespace lab::judge {

namespace {

constexpr double most_drawn_operations = 1.2e12;  // the expected outputs take the CPU a few seconds
constexpr double budget_of_size_ms = 400;
constexpr double noise = 0.02;  // two runs of the same kernel differ by less

struct size_run {
  const launcher_spec& launcher;
  const size_sweep_options& options;
  std::vector<rival> rivals;
  session calls;
  std::uint64_t seed;
};

std::vector<rival> rivals_to_sweep(const entry& lab, const kernel_variant& variant, bench_options options) {
  options.peers = true;
  auto all = rivals_of(lab, options);
  if (variant.word != "solution") all.insert(all.begin(), {"solution", solution_of(lab).source});
  return all;
}

size_row failed_row(const size_run& run, const drawn_size& at, call_result found, const entry& lab) {
  const judged_case judged{{case_phase::values, run.launcher.name, at.size, inputs::real}, std::move(found)};
  const auto failed = as_case(lab.name, run.launcher, judged, run.seed);
  return {.at = at, .cost = cost_at(run.launcher, at.size), .verdict = failed.verdict, .message = failed.message};
}

void add_times(size_row& row, const size_run& run, const std::vector<std::uint32_t>& libraries,
               const measurement& cold) {
  const auto& ours = cold.milliseconds[0];
  row.ours = summary(ours);
  row.head_start = cold.head_starts[0];
  for (std::size_t i = 1; i < libraries.size(); ++i) {
    const auto ratio = ratios(ours, cold.milliseconds[i]);
    if (libraries[i] == 0) {
      row.against_itself = ratio;
      continue;
    }
    const auto& other = run.rivals[libraries[i] - 1];
    row.rivals.push_back({other.name, summary(cold.milliseconds[i]).median, ratio, other.judged, cold.head_starts[i]});
  }
}

call_result time_size(size_run& run, const test_case& test, std::vector<std::uint32_t> libraries, size_row& row) {
  libraries.push_back(0);
  measurement_plan plan{std::move(libraries), 1, copies_beyond_l2(run.calls, test, run.options.backend)};
  const auto pilot = measure(run.calls, test, plan);
  if (pilot.found.verdict != verdict_kind::pass) return pilot.found;
  plan.repeats = repeats_within(budget_of_size_ms, pilot, run.options.repeats);
  const auto cold = measure(run.calls, test, plan);
  if (cold.found.verdict == verdict_kind::pass) add_times(row, run, plan.libraries, cold);
  return cold.found;
}

// Misaligned arrays are legal only if the solution accepts them.
bool accepts_misaligned(size_run& run, const test_case& test) {
  const auto solution = std::ranges::find(run.rivals, "solution", &rival::name);
  const auto number = solution == run.rivals.end() ? 0 : solution - run.rivals.begin() + 1;
  return run.calls.call(test, static_cast<std::uint32_t>(number)).verdict == verdict_kind::pass;
}

size_row measure_drawn(size_run& run, const entry& lab, drawn_size at, size_drawer& drawer) {
  test_case test{run.launcher, at.size, run.seed, inputs::real, oracle_for(run.launcher, at.size)};
  test.place(at.placement);
  if (at.placement == zones::misaligned && !accepts_misaligned(run, test)) {
    drawer.only_aligned();
    test.place(at.placement = zones::guarded);
  }
  size_row row{.at = at, .cost = cost_at(run.launcher, at.size)};
  call_result found;
  const auto libraries = right_libraries(run.calls, run.rivals, test, run.options, found);
  if (!libraries.empty()) found = time_size(run, test, libraries, row);
  return found.verdict == verdict_kind::pass ? row : failed_row(run, at, std::move(found), lab);
}

// Sizes that the launcher must refuse, and those of which there is no problem, are not measured.
void measure_drawn_sizes(size_run& run, const entry& lab, size_sweep_result& result) {
  const auto& options = run.options;
  size_drawer drawer{run.launcher, {result.most_bytes, most_drawn_operations}, options.sizes_to_draw, run.seed};
  for (unsigned attempts = 0; result.rows.size() < options.sizes_to_draw && attempts < 20 * options.sizes_to_draw;
       ++attempts) {
    const auto at = drawer.next();
    if (!solvable(run.launcher, at.size)) continue;
    if (options.progress)
      options.progress(fmt::format("size {} of {}: {}, {} arrays", result.rows.size() + 1, options.sizes_to_draw,
                                   at.size.name(), placement_word(at.placement)));
    result.rows.push_back(measure_drawn(run, lab, at, drawer));
    if (options.measured) options.measured(result.rows.back());
    if (result.rows.back().verdict == verdict_kind::compile_error) return;  // it lacks the launcher
  }
}

double best_ratio(const size_row* row) { return row->best()->ratio.median; }

}  // namespace

const size_rival* size_row::best() const {
  const size_rival* found = nullptr;
  for (const auto& one : rivals)
    if (one.judged && one.ratio.median > 0 && (!found || one.ratio.median < found->ratio.median)) found = &one;
  return found;
}

bool loses(const size_row& row) { return row.best() && row.best()->ratio.median < 1 - noise; }

size_summary summary_of(const size_sweep_result& result) {
  size_summary all;
  std::vector<const size_row*> compared;
  for (const auto& row : result.rows) {
    if (row.verdict != verdict_kind::pass) all.failures.push_back(&row);
    if (row.best()) compared.push_back(&row);
    if (loses(row)) all.losses.push_back(&row);
  }
  if (compared.empty()) return all;
  double logarithms = 0;
  for (const auto* row : compared) logarithms += std::log(best_ratio(row));
  all.geometric_mean = std::exp(logarithms / static_cast<double>(compared.size()));
  all.worst = *std::ranges::min_element(compared, {}, best_ratio);
  return all;
}

const launcher_spec& launcher_to_sweep(const entry& lab) {
  const auto& all = lab.definition.launchers;
  const auto last = std::find_if(all.rbegin(), all.rend(), [](const auto& launcher) {
    return launcher.memory == memory_space::device && !launcher.axes.empty();
  });
  if (last != all.rend()) return *last;
  throw usage_error(fmt::format("{} has no launcher with device pointers, so there are no sizes to sweep", lab.name));
}

size_sweep_result sweep_sizes(const entry& lab, const kernel_variant& variant, const size_sweep_options& options) {
  const auto& launcher = launcher_to_sweep(lab);
  size_sweep_result result{.lab = lab.name,
                           .variant = variant.word,
                           .launcher = launcher.name,
                           .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                           .backend = options.backend,
                           .seed = options.seed ? *options.seed : fresh_seed()};
  const auto built = build_with_rivals(lab, variant.source, rivals_to_sweep(lab, variant, options), options);
  if (built.ours.verdict != verdict_kind::pass) {
    result.rows.push_back({.at = {}, .verdict = built.ours.verdict, .message = built.ours.log});
    return result;
  }
  size_run run{launcher, options, built.rivals, session{options, built.libraries}, result.seed};
  const auto device = run.calls.runner().device();
  result.most_bytes = std::min(options.most_bytes, static_cast<double>(device.free_bytes) / 2);
  bench_result machine;
  add_device(machine, run.calls, options);
  result.device = machine.device;
  measure_drawn_sizes(run, lab, result);
  return result;
}

}  // namespace lab::judge
