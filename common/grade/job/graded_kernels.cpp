#include "grade/job/graded_kernels.hpp"

#include <fmt/format.h>

#include "bench/kernel_clock.hpp"
#include "bench/timing.hpp"
#include "build/kernel_build.hpp"
#include "support/random_seed.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

// One kernel of a race; a second run of the same one adds to its times.
class racer {
 public:
  racer(const race_course& c, const std::filesystem::path& source, const judge::build_result& library,
        const judge::run_options& o)
      : course_{c}, options_{o}, kernel_{library.library, judge::build_device_code(c.lab, source, o).library} {}

  void run(int calls) {
    if (!why_not_.empty()) return;
    const auto fresh = judge::fresh_test_cases(course_.launcher, course_.size, fresh_seed(), judge::oracle::fastest);
    const auto t = judge::time_kernels(options_, kernel_, course_.launcher.memory, calls, fresh);
    ms_.insert(ms_.end(), t.ms.begin(), t.ms.end());
    why_not_ = t.why_not;
    forged_ = t.forged;
  }

  double median() const { return judge::summary(ms_).median; }
  const std::string& why_not() const { return why_not_; }
  bool forged() const { return forged_; }

 private:
  const race_course& course_;
  const judge::run_options& options_;
  judge::built_twice kernel_;
  std::vector<double> ms_;
  std::string why_not_;
  bool forged_ = false;
};

}  // namespace

kernel_race race_kernels(const race_course& c, const judge::build_result& solution, const judge::build_result& student,
                         const judge::run_options& o) {
  racer ours{c, judge::solution_of(c.lab).source, solution, o}, theirs{c, c.source, student, o};
  ours.run(c.repeats / 2);
  if (ours.why_not().empty()) theirs.run(c.repeats);
  if (theirs.why_not().empty()) ours.run(c.repeats / 2);
  if (!theirs.why_not().empty()) return {.why_not = theirs.why_not(), .forged = theirs.forged()};
  if (!ours.why_not().empty()) return {.why_not = "of the solution: " + ours.why_not()};
  return {.found = times{.student = theirs.median(), .solution = ours.median(), .clock = speed_clock::kernel}};
}

fallback after(const kernel_race& race, const std::string& size, std::vector<std::string>& flags) {
  if (race.found) return fallback::none;
  const auto why = sanitize::line(race.why_not, 300);
  if (race.forged) {
    flags.push_back(fmt::format("protocol_violation at {} while it was timed: {}", size, why));
    return fallback::no_points;
  }
  flags.push_back(fmt::format("timed with its host code at {}: {}", size, why));
  return fallback::launchers;
}

}  // namespace lab::grade
