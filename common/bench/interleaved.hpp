#pragma once

#include <filesystem>
#include <vector>

#include "bench/rivals.hpp"
#include "bench/timing.hpp"
#include "build/build_request.hpp"

namespace lab::judge {

/// The kernel under test and the rivals that compile.
struct built_rivals {
  build_result ours{};
  std::vector<std::filesystem::path> libraries{};  ///< for one session; 0 is the kernel under test
  std::vector<rival> rivals{};                     ///< of the libraries from 1 on
};

built_rivals build_with_rivals(const entry& lab, const std::filesystem::path& source,
                               const std::vector<rival>& candidates, const bench_options& options);

/// The libraries that are right in this case; empty if library 0 is wrong. `ours` receives its result.
std::vector<std::uint32_t> right_libraries(session& calls, const std::vector<rival>& rivals, const test_case& test,
                                           const bench_options& options, call_result& ours);

/// Enough sets of arguments that L2 holds none of a set when its next turn comes; 1 on the simulator.
unsigned copies_beyond_l2(session& calls, const test_case& test, backend_kind backend);

/// Fewer rounds than wanted, at least 3 of these, if they take longer than the budget by the first times of `pilot`;
/// the same number for every kernel.
unsigned repeats_within(double budget_ms, const measurement& pilot, int wanted);

}  // namespace lab::judge
