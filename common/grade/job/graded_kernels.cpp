#include "grade/job/graded_kernels.hpp"

#include <fmt/format.h>

#include <memory>

#include "bench/kernel_clock.hpp"
#include "bench/timing.hpp"
#include "build/lab_builds.hpp"
#include "support/random_seed.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

// Whose kernel it is. Each call of a student's has fresh inputs, so that no answer from memory is right. All calls in a
// run of the solution have the same: drawing inputs and computing their answer takes long.
enum class author { grader, student };

// Times one kernel. Several runs of it add up to one set of times.
class kernel_timer {
 public:
  kernel_timer(const timed_launcher& timed, author who, const std::filesystem::path& source,
               const judge::build_result& library, const judge::run_options& options)
      : timed_{timed},
        who_{who},
        options_{options},
        kernel_{library.library, judge::build_device_code(timed.lab, source, options).library} {}

  void run(int calls) {
    if (!why_not_.empty()) return;
    const auto measured = judge::time_kernels(options_, kernel_, timed_.launcher.memory, calls, cases());
    ms_.insert(ms_.end(), measured.ms.begin(), measured.ms.end());
    why_not_ = measured.why_not;
    forged_ = measured.forged;
  }

  double median() const { return judge::summary(ms_).median; }
  const std::string& why_not() const { return why_not_; }
  bool forged() const { return forged_; }

 private:
  judge::test_cases cases() const {
    constexpr auto fastest = judge::oracle::fastest;
    if (who_ == author::student) return judge::fresh_test_cases(timed_.launcher, timed_.size, fresh_seed(), fastest);
    const auto same =
        std::make_shared<judge::test_case>(timed_.launcher, timed_.size, fresh_seed(), inputs::real, fastest);
    return [same](int) -> const judge::test_case& { return *same; };
  }

  const timed_launcher& timed_;
  author who_;
  const judge::run_options& options_;
  judge::built_twice kernel_;
  std::vector<double> ms_;
  std::string why_not_;
  bool forged_ = false;
};

}  // namespace

kernel_times time_kernels(const timed_launcher& timed, const judge::build_result& solution,
                          const judge::build_result& student, const judge::run_options& options) {
  kernel_timer ours{timed, author::grader, judge::solution_of(timed.lab).source, solution, options};
  kernel_timer theirs{timed, author::student, timed.source, student, options};
  ours.run(timed.repeats / 2);
  if (ours.why_not().empty()) theirs.run(timed.repeats);
  if (theirs.why_not().empty()) ours.run(timed.repeats / 2);
  if (!theirs.why_not().empty()) return {.why_not = theirs.why_not(), .forged = theirs.forged()};
  if (!ours.why_not().empty()) return {.why_not = "of the solution: " + ours.why_not()};
  return {.times = measured_times{.student = theirs.median(), .solution = ours.median(), .clock = speed_clock::kernel}};
}

timing_fallback fallback_after(const kernel_times& kernels, const std::string& size, std::vector<std::string>& flags) {
  if (kernels.times) return timing_fallback::none;
  const auto why = sanitize::line(kernels.why_not, 300);
  if (kernels.forged) {
    flags.push_back(fmt::format("protocol_violation at {} while it was timed: {}", size, why));
    return timing_fallback::no_points;
  }
  flags.push_back(fmt::format("timed with its host code at {}: {}", size, why));
  return timing_fallback::launchers;
}

}  // namespace lab::grade
