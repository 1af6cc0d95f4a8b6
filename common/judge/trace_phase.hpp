#pragma once

#include <future>

#include "build/build.hpp"
#include "judge/check.hpp"

namespace lab::judge {

/// What a check adds once the values are known, whatever computed them: the simulator sees every access, finds hazards
/// and holds the gates of the card.
class tracing {
 public:
  /// Starts the traced build beside whatever comes next, if this check is to be traced.
  tracing(const entry& lab, const kernel_variant& which, const check_options& o);

  /// Whether there is anything to trace, once the values are known.
  bool wanted(const check_result& r) const;

  /// Traces one failed case, or, where all values are right, one small case and the gates' sizes. Fills
  /// hazards and gates; right values with a hazard or beyond a gate get a case that fails.
  void complete(check_result& r, std::uint64_t seed);

 private:
  void run(check_result& r, const launcher_spec& c, const problem_size& s, std::uint64_t seed,
           const build_result& built) const;
  void blame(check_result& r, const launcher_spec& c, const problem_size& s, verdict_kind v,
             const std::string& why) const;
  void weigh(check_result& r, const launcher_spec& c, const problem_size& s, const trace_report& report) const;

  const entry& lab_;
  const kernel_variant& which_;
  const check_options& options_;
  std::future<build_result> build_;
};

}  // namespace lab::judge
