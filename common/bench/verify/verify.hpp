#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/bench.hpp"

namespace lab::judge {

/// The clock that confirms the first one: Nsight Compute's time of the kernel, or the host's time of many calls in a
/// row; none for a time that is too short to be judged.
enum class second_clock { none, ncu, loop };
std::string_view word(second_clock which);

/// One launcher at one size by both clocks, in milliseconds; or why there are no times.
struct verified_row {
  std::string lab{}, variant{}, launcher{}, size{};
  verdict_kind verdict = verdict_kind::pass;
  std::string message{};
  samples first{}, second{};  ///< both with a cold L2, and after a rest
  protocol::head_start head_start = protocol::head_start::none;
  second_clock clock = second_clock::none;
  std::string why_no_ncu{};  ///< for a loop

  double ratio() const { return first.median > 0 ? second.median / first.median : 0; }
  bool judged() const;   ///< the first clock's time is long enough to be compared
  bool varies() const;   ///< it is judged, but its own calls differ so much that their median says nothing to 3%
  bool differs() const;  ///< it is judged and does not vary, and the second clock does not confirm it
};

struct verification {
  std::string date{};
  nlohmann::json device = nlohmann::json::object();
  std::vector<verified_row> rows{};
};

constexpr double clocks_differ_by = 0.03, least_judged_ms = 0.02;
constexpr double calls_vary_by = 0.15;  // the 95th percentile, beyond the shortest

/// Times a kernel by two independent clocks at the lab's time sizes or options.sizes, and adds the rows to the result.
/// Without Nsight Compute, or where a call is more than one kernel, the second clock is a loop of calls.
void verify_times(const entry& lab, const kernel_variant& variant, const bench_options& options, verification& result);

nlohmann::json to_json(const verification& result);

}  // namespace lab::judge
