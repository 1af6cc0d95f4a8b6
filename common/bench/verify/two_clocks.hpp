#pragma once

#include "bench/verify/ncu_clock.hpp"
#include "bench/verify/verify.hpp"
#include "judge/session.hpp"

namespace lab::judge {

/// One kernel of one lab that is timed by two clocks.
struct verify_run {
  const entry& lab;
  const kernel_variant& variant;
  const bench_options& options;
  session calls;
  ncu_clock profiler;
  std::uint64_t seed;
  verification& result;
};

/// Times a launcher at one size by the first clock and, if that time is judged, by a second one, or why there are no
/// times. Nsight Compute's times come later, from run.profiler, for the row that follows those of run.result.
verified_row verify_size(verify_run& run, const launcher_spec& launcher, const problem_size& size);

}  // namespace lab::judge
