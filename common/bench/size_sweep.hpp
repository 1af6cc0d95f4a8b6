#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/bench.hpp"
#include "bench/drawn_sizes.hpp"

namespace lab::judge {

/// A kernel beside the kernel under test at one size.
struct size_rival {
  std::string name;
  double ms = 0;       ///< its median
  samples ratio{};     ///< its time over ours, from interleaved pairs
  bool judged = true;  ///< false: it only moves the same bytes, so it is no baseline
  protocol::head_start head_start = protocol::head_start::none;
};

/// One drawn size: times, or why there are none.
struct size_row {
  drawn_size at;
  problem_cost cost{};
  verdict_kind verdict = verdict_kind::pass;
  std::string message{};
  samples ours{};            ///< milliseconds, L2 cold
  samples against_itself{};  ///< our own kernel as a rival: the noise of every ratio
  std::vector<size_rival> rivals{};
  protocol::head_start head_start = protocol::head_start::none;  ///< complete: no launch overhead in the times

  /// The fastest judged rival; none if no rival is right at this size.
  const size_rival* best() const;
};

/// Whether a rival is faster than our kernel by more than the noise.
bool loses(const size_row& row);

struct size_sweep_options : bench_options {
  unsigned sizes_to_draw = 40;
  double most_bytes = 1e9;  ///< of all arrays together; at most half of the device's free memory
  std::function<void(const size_row&)> measured{};  ///< called after each size
};

struct size_sweep_result {
  std::string lab{}, variant{}, launcher{}, date{};
  backend_kind backend = backend_kind::cuda;
  std::uint64_t seed = 0;
  double most_bytes = 0;
  nlohmann::json device = nlohmann::json::object();
  std::vector<size_row> rows{};
};

/// How a kernel compares over all sizes; ratios are those of the best rival to ours.
struct size_summary {
  const size_row* worst = nullptr;  ///< none without a measured size
  double geometric_mean = 0;
  std::vector<const size_row*> losses{}, failures{};
};
size_summary summary_of(const size_sweep_result& result);

/// The launcher that sweep_sizes measures: the last of the lab or stage that takes device pointers.
/// @throws usage_error if there is none
const launcher_spec& launcher_to_sweep(const entry& lab);

/// Draws sizes, and times the kernel in turns with the solution, the lab's baseline and its peers at each of them.
size_sweep_result sweep_sizes(const entry& lab, const kernel_variant& variant, const size_sweep_options& options);

nlohmann::json to_json(const size_sweep_result& result);

}  // namespace lab::judge
