#include "grade/job/graded_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "bench/timing.hpp"
#include "build/lab_builds.hpp"
#include "grade/job/graded_kernels.hpp"
#include "judge/compare.hpp"
#include "support/temporary_folder.hpp"

namespace lab::grade {

namespace {

constexpr int most_repeats = 15, repeats_of_large_arrays = 7;
constexpr double large_arrays = 128 << 20;  // bytes of a call
constexpr double read_only_margin = 1.1;    // a kernel that only reads reaches more bandwidth than a copy
constexpr std::uint64_t copied_bytes = 1ull << 30;

const launcher_spec& launcher_of(const entry& lab, const speed_rule& rule) {
  if (const auto* found = launcher_for(lab, rule.size, rule.launcher)) return *found;
  throw usage_error(fmt::format("policy: {} has no launcher {} for {}", lab.name, rule.launcher, rule.size.name()));
}

// Fresh inputs and answers of large arrays take a second a call, and the times of such calls vary little.
int repeats_at(const launcher_spec& launcher, const problem_size& size) {
  return cost_at(launcher, size).bytes > large_arrays ? repeats_of_large_arrays : most_repeats;
}

// A launcher that returns at once. Its time is the overhead of a call.
judge::build_result build_empty(const entry& lab, const launcher_spec& launcher, const judge::run_options& options) {
  const temporary_folder folder{"empty"};
  const auto source = folder.path() / "kernel.cu";
  std::ofstream{source} << "#include \"lab.hpp\"\n" << launcher.signature << " {}\n";
  return judge::build_for(lab, source, options);
}

class launcher_timer {
 public:
  launcher_timer(const launcher_spec& launcher, const problem_size& size, judge::run_options options)
      : launcher_{launcher}, size_{size}, options_{std::move(options)} {}

  judge::test_case fresh_case() {
    return {launcher_, size_, *options_.seed + ++drawn_, inputs::real, judge::oracle::fastest};
  }

  // All calls have the inputs of `same`. Without it each call has fresh ones, so that no answer from memory is right.
  // With `check`, a wrong answer ends the measurement.
  verdict_kind run(const std::filesystem::path& library, int calls, const judge::test_case* same, bool check,
                   std::vector<double>& ms) {
    judge::session runs{options_, {library}};
    for (int i = 0; i <= calls; ++i) {
      const auto result = same ? runs.call(*same) : runs.call(fresh_case());
      if (check && result.verdict != verdict_kind::pass) return result.verdict;
      if (i > 0) ms.push_back(result.ms);  // the first call loads the library
    }
    return verdict_kind::pass;
  }

 private:
  const launcher_spec& launcher_;
  const problem_size& size_;
  judge::run_options options_;
  unsigned drawn_ = 0;
};

// GB/s of a copy, measured while no student's code runs.
double memory_bandwidth(const judge::run_options& options) {
  if (options.backend != backend_kind::cuda) return 0;
  judge::session runs{options, {}};
  return judge::measure_ceiling(runs, copied_bytes, 15);
}

double median(const std::vector<double>& ms) { return judge::summary(ms).median; }

struct timed_builds {
  judge::build_result empty, solution, student;
};

timed_builds build_all(const entry& lab, const launcher_spec& launcher, const judge::kernel_variant& kernel,
                       const judge::run_options& options) {
  timed_builds all{build_empty(lab, launcher, options), judge::build_for(lab, judge::solution_of(lab).source, options),
                   judge::build_for(lab, kernel.source, options)};
  if (all.empty.verdict != verdict_kind::pass || all.solution.verdict != verdict_kind::pass)
    throw std::runtime_error("the solution does not build");
  return all;
}

// Times whole launchers. The empty launcher and the solution run before and after the student's kernel, never at the
// same time as a process of the student. Their calls share inputs: drawing some and computing the answer takes long.
std::optional<measured_times> time_launchers(row& graded, const timed_builds& all, const speed_rule& rule,
                                             launcher_timer& timer, int repeats) {
  std::vector<double> empty_ms, solution_ms, student_ms;
  const auto time_references = [&] {
    const auto same = timer.fresh_case();
    timer.run(all.empty.library, repeats / 2, &same, false, empty_ms);
    if (timer.run(all.solution.library, repeats / 2, &same, true, solution_ms) != verdict_kind::pass)
      throw std::runtime_error("the solution does not pass at " + rule.size.name());
  };
  time_references();
  const auto verdict = timer.run(all.student.library, repeats, nullptr, true, student_ms);
  time_references();
  if (verdict == verdict_kind::pass) return measured_times{median(student_ms), median(solution_ms), median(empty_ms)};
  graded.flags.push_back(fmt::format("{} at {} while it was timed", word(verdict), rule.size.name()));
  return std::nullopt;
}

void time_one(row& graded, const entry& lab, const judge::kernel_variant& kernel, const speed_rule& rule,
              const speed_clock clock, const double bandwidth, const judge::run_options& options) {
  const auto& launcher = launcher_of(lab, rule);
  const auto builds = build_all(lab, launcher, kernel, options);
  launcher_timer timer{launcher, rule.size, options};
  const int repeats = repeats_at(launcher, rule.size);
  auto next = timing_fallback::launchers;
  std::optional<measured_times> measured;
  if (clock == speed_clock::kernel && options.backend == backend_kind::cuda) {
    const auto kernels =
        time_kernels({lab, launcher, rule.size, kernel.source, repeats}, builds.solution, builds.student, options);
    next = fallback_after(kernels, rule.size.name(), graded.flags);
    measured = kernels.times;
  }
  if (next == timing_fallback::launchers) measured = time_launchers(graded, builds, rule, timer, repeats);
  if (next == timing_fallback::no_points || !measured) return;
  const bool limited = bandwidth > 0 && launcher.cost;
  measured->floor = limited ? launcher.cost(rule.size).bytes / (bandwidth * read_only_margin) / 1e6 : 0;
  graded.speed.push_back(rate(rule, *measured, graded.flags));
}

}  // namespace

speed_row rate(const speed_rule& rule, const measured_times& measured, std::vector<std::string>& flags) {
  speed_row timed{.size = rule.size.name(),
                  .clock = std::string{word(measured.clock)},
                  .floor_ms = measured.floor,
                  .max_points = rule.points,
                  .extra = rule.extra};
  const auto net = [&](double ms) { return std::max(ms - measured.overhead, 1e-6); };
  timed.ms = net(measured.student);
  timed.solution_ms = net(measured.solution);
  timed.too_short = measured.overhead > measured.student / 2;
  if (timed.too_short) flags.push_back(fmt::format("too short to time at {}: no points for speed", timed.size));
  if (timed.ms < measured.floor) flags.push_back("faster than the hardware at " + timed.size);
  timed.ms = std::max(timed.ms, measured.floor);
  timed.ratio = timed.solution_ms / timed.ms;
  const double share = (timed.ratio - rule.zero_at) / (rule.full_at - rule.zero_at);
  // Two times that are mostly noise do not show which kernel is faster.
  timed.points = timed.too_short ? 0 : rule.points * std::clamp(share, 0.0, 1.0);
  return timed;
}

void add_speed(row& graded, const entry& lab, const judge::kernel_variant& kernel, const speed_policy& policy,
               const judge::run_options& options) {
  if (policy.rules.speed.empty()) return;
  const double bandwidth = memory_bandwidth(options);
  for (const auto& rule : policy.rules.speed) time_one(graded, lab, kernel, rule, policy.clock, bandwidth, options);
}

}  // namespace lab::grade
