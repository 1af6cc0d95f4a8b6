#pragma once

#include <cstddef>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab::judge {

/// One launcher at one size.
struct trace_target {
  const launcher_spec* launcher = nullptr;
  problem_size size{};
};

/// Which sizes of a check the simulator traces.
struct trace_plan {
  std::vector<trace_target> traced;  ///< at once: the smallest sizes of each launcher, and the sizes of its gates
  std::vector<trace_target> rest;    ///< only if they execute what the others do not; the smallest first
  std::vector<trace_target> large;   ///< never: even to learn what they execute would take too long
};

/// Plans by the work at a size, not by time, so that a check traces the same sizes on every machine. Leaves out sizes
/// that a launcher must refuse. @param asked sizes in place of the lab's own @param all trace all sizes at once
trace_plan plan_traces(const lab_definition& definition, const std::vector<problem_size>& asked, bool all);

/// Whether tracing this size takes a few seconds at most.
bool affordable(const trace_target& at);

/// The numbers of the targets: first that with the most work, which takes longest; then the others in their order.
std::vector<std::size_t> largest_first(const std::vector<trace_target>& targets);

/// Of several sizes of a launcher the largest that takes no time, or else the smallest. Some mistakes, a missing
/// barrier above all, do not show in the smallest size.
problem_size telling_size(const launcher_spec& launcher, const std::vector<problem_size>& sizes);

/// The sizes with the least and the most work of those at which a launcher was traced; fewer than two if they are one.
std::vector<problem_size> smallest_and_largest(const launcher_spec& launcher, const std::vector<trace_target>& traced);

/// The size at which a launcher's traffic is counted unless another is requested: the one that the lab names, or that
/// of the first gate, or the telling one of the check sizes.
problem_size size_to_count(const launcher_spec& launcher);

}  // namespace lab::judge
