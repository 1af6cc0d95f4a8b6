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

/// Times a kernel that passed every case, and adds what the policy gives for it. Every call gets fresh inputs, and
/// their number does not depend on what the kernel does.
void add_speed(row& r, const entry& lab, const judge::kernel_variant& which, const speed_policy& p,
               const judge::run_options& o);

/// What was measured through one and the same pipeline, in milliseconds.
struct times {
  double student = 0, solution = 0;
  double nothing = 0;  ///< a launcher that does nothing: what the pipeline itself takes
  double floor = 0;    ///< the least that the hardware allows, 0 if unknown
  speed_clock clock = speed_clock::host;
};

/// The row of one rule: ratio and points, no better than the floor; adds to `flags` what a person should look at.
speed_row rate(const speed_rule& rule, const times& t, std::vector<std::string>& flags);

}  // namespace lab::grade
