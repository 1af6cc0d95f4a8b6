#pragma once

#include "build/kernel_variant.hpp"
#include "build/run_options.hpp"
#include "grade/job/policy.hpp"
#include "grade/job/row.hpp"
#include "judge/check.hpp"

namespace lab::grade {

struct speed_policy {
  const lab_policy& rules;
  speed_clock clock;
};

/// Times a kernel that passed every case, and adds its points for speed. Each of its calls has fresh inputs. The
/// number of calls does not depend on the kernel. CPU programs only compute what calls must give.
void add_speed(row& graded, const entry& lab, const judge::kernel_variant& kernel, const speed_policy& policy,
               const judge::run_options& options);

/// Median times by one clock, in milliseconds.
struct measured_times {
  double student = 0, solution = 0;
  double overhead = 0;  ///< the time of an empty launcher
  double floor = 0;     ///< the hardware's limit; 0 if unknown
  speed_clock clock = speed_clock::host;
};

/// The ratio and points of one rule. A time below the floor counts as the floor. Adds to `flags` what the teacher
/// should look at.
speed_row rate(const speed_rule& rule, const measured_times& measured, std::vector<std::string>& flags);

}  // namespace lab::grade
