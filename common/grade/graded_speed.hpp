#pragma once

#include "grade/policy.hpp"
#include "grade/row.hpp"
#include "judge/check.hpp"

namespace lab::grade {

/// Times a kernel that passed every case, by the judge's clock, and adds what the policy gives for it. Every call gets
/// fresh inputs, and their number does not depend on what the kernel does.
void add_speed(row& r, const entry& lab, const judge::variant& which, const lab_policy& rule, const judge::options& o);

/// What was measured through one and the same pipeline, in milliseconds.
struct times {
  double student = 0, solution = 0;
  double nothing = 0;  ///< a launcher that does nothing: what the pipeline itself takes
  double floor = 0;    ///< the least that the hardware allows, 0 if unknown
};

/// The row of one rule: ratio and points, no better than the floor; adds to `flags` what a person should look at.
speed_row rate(const speed_rule& rule, const times& t, std::vector<std::string>& flags);

}  // namespace lab::grade
