#pragma once

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Builds, runs and judges one job in the plan's sandbox. `slot` tells jobs that run at the same time apart. Never
/// throws for what a submission does.
row grade_one(const plan& p, const policy& rules, const job& j, unsigned slot);

/// The points of a row whose cases and gates are known, before lateness.
double points_of(const policy& rules, const row& r);

}  // namespace lab::grade
