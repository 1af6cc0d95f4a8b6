#include "grade/job/graded_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "bench/timing.hpp"
#include "build/kernel_build.hpp"
#include "grade/job/graded_kernels.hpp"
#include "judge/compare.hpp"
#include "support/temporary_folder.hpp"

namespace lab::grade {

namespace {

constexpr int repeats = 15;
constexpr double ceiling_margin = 1.1;  // a copy does not quite reach what a kernel that only reads can
constexpr std::uint64_t ceiling_bytes = 1ull << 30;

const launcher_spec& contract_of(const entry& lab, const speed_rule& rule) {
  const auto& all = lab.definition.launchers;
  const auto named = [&](const launcher_spec& c) { return c.name == rule.launcher; };
  const auto at = std::ranges::find_if(all, named);
  if (at != all.end()) return *at;
  if (!rule.launcher.empty()) throw usage_error(fmt::format("policy: {} has no launcher {}", lab.name, rule.launcher));
  return all.front();
}

// The pipeline without a kernel: a launcher that returns at once.
judge::build_result build_nothing(const entry& lab, const launcher_spec& c, const judge::run_options& o) {
  const temporary_folder folder{"nothing"};
  const auto source = folder.path() / "kernel.cu";
  std::ofstream{source} << "#include \"lab.hpp\"\n" << c.signature << " {}\n";
  return judge::build_for(lab, source, o);
}

class stopwatch {
 public:
  stopwatch(const launcher_spec& c, const problem_size& s, judge::run_options o)
      : launcher_{c}, size_{s}, options_{std::move(o)} {}

  // Fresh inputs for each call; `check` says whether the answers matter.
  verdict_kind run(const std::filesystem::path& library, int calls, bool check, std::vector<double>& ms) {
    judge::session runs{options_, {library}};
    for (int i = 0; i <= calls; ++i) {
      const judge::test_case t{launcher_, size_, *options_.seed + ++drawn_, inputs::real, judge::oracle::fastest};
      const auto found = runs.call(t);
      if (check && found.verdict != verdict_kind::pass) return found.verdict;
      if (i > 0) ms.push_back(found.ms);  // the first call loads the library
    }
    return verdict_kind::pass;
  }

  // GB/s, while no code of a student runs.
  double ceiling() {
    judge::session runs{options_, {}};
    return options_.backend == backend_kind::cuda ? judge::measure_ceiling(runs, ceiling_bytes, 15) : 0;
  }

 private:
  const launcher_spec& launcher_;
  const problem_size& size_;
  judge::run_options options_;
  unsigned drawn_ = 0;
};

double median(const std::vector<double>& ms) { return judge::summary(ms).median; }

struct contestants {
  judge::build_result nothing, solution, student;
};

contestants build_all(const entry& lab, const launcher_spec& c, const judge::kernel_variant& which,
                      const judge::run_options& o) {
  contestants all{build_nothing(lab, c, o), judge::build_for(lab, judge::solution_of(lab).source, o),
                  judge::build_for(lab, which.source, o)};
  if (all.nothing.verdict != verdict_kind::pass || all.solution.verdict != verdict_kind::pass)
    throw std::runtime_error("the solution does not build");
  return all;
}

// The whole launcher. What the student is compared with is measured before and after, never beside a process of the
// student.
std::optional<times> time_launchers(row& r, const contestants& all, const speed_rule& rule, stopwatch& watch) {
  std::vector<double> empty_ms, solution_ms, student_ms;
  const auto compare = [&] {
    watch.run(all.nothing.library, repeats / 2, false, empty_ms);
    if (watch.run(all.solution.library, repeats / 2, true, solution_ms) != verdict_kind::pass)
      throw std::runtime_error("the solution does not pass at " + rule.size.name());
  };
  compare();
  const auto v = watch.run(all.student.library, repeats, true, student_ms);
  compare();
  if (v == verdict_kind::pass) return times{median(student_ms), median(solution_ms), median(empty_ms)};
  r.flags.push_back(fmt::format("{} at {} while it was timed", word(v), rule.size.name()));
  return std::nullopt;
}

void time_one(row& r, const entry& lab, const judge::kernel_variant& which, const speed_rule& rule,
              const speed_clock clock, const judge::run_options& o) {
  const auto& c = contract_of(lab, rule);
  const auto all = build_all(lab, c, which, o);
  stopwatch watch{c, rule.size, o};
  const double ceiling = watch.ceiling();
  auto next = fallback::launchers;
  std::optional<times> t;
  if (clock == speed_clock::kernel && o.backend == backend_kind::cuda) {
    const auto race = race_kernels({lab, c, rule.size, which.source, repeats}, all.solution, all.student, o);
    next = after(race, rule.size.name(), r.flags);
    t = race.found;
  }
  if (next == fallback::launchers) t = time_launchers(r, all, rule, watch);
  if (next == fallback::no_points || !t) return;
  t->floor = ceiling > 0 && c.cost ? c.cost(rule.size).bytes / (ceiling * ceiling_margin) / 1e6 : 0;
  r.speed.push_back(rate(rule, *t, r.flags));
}

}  // namespace

speed_row rate(const speed_rule& rule, const times& t, std::vector<std::string>& flags) {
  speed_row s{
      .size = rule.size.name(), .clock = std::string{word(t.clock)}, .floor_ms = t.floor, .max_points = rule.points};
  const auto net = [&](double ms) { return std::max(ms - t.nothing, 1e-6); };
  s.ms = net(t.student);
  s.solution_ms = net(t.solution);
  s.too_short = t.nothing > t.student / 2;
  if (s.too_short) flags.push_back(fmt::format("too short to time at {}: no points for speed", s.size));
  if (s.ms < t.floor) flags.push_back("faster than the hardware at " + s.size);
  s.ms = std::max(s.ms, t.floor);
  s.ratio = s.solution_ms / s.ms;
  const double share = (s.ratio - rule.zero_at) / (rule.full_at - rule.zero_at);
  // Of two times that are mostly noise a slow kernel's may be the shorter one.
  s.points = s.too_short ? 0 : rule.points * std::clamp(share, 0.0, 1.0);
  return s;
}

void add_speed(row& r, const entry& lab, const judge::kernel_variant& which, const speed_policy& p,
               const judge::run_options& o) {
  for (const auto& one : p.rules.speed) time_one(r, lab, which, one, p.clock, o);
  if (o.backend == backend_kind::cuda) return;
  for (auto& s : r.speed) s.points = s.max_points = 0;  // they say how fast the simulator is
}

}  // namespace lab::grade
