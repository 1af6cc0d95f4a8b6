#pragma once

#include "protocol/array_layout.hpp"
#include "protocol/runner_process.hpp"

namespace lab::judge {

/// A request for a call or a measurement of a launcher, with its arguments in this layout.
protocol::request request_for(const launcher_spec& launcher, const array_layout& layout, protocol::command what);

/// The arguments of a call after it, read from the shared file.
arguments arguments_after(arguments given, const array_layout& layout, std::span<const std::byte> file);

/// The result of one call whose outputs are not judged.
struct unjudged_call {
  outcome end{};
  arguments outputs{};  ///< empty if the launcher did not return
};
unjudged_call call_unjudged(runner_process& runner, const launcher_spec& launcher, const arguments& given,
                            const array_layout& layout, std::uint64_t seed, double timeout_s);

/// The arrays of a call that returns none. Several runners may read their file at the same time.
struct discarded_arrays {
  array_layout layout;
  memory_file file;
};
discarded_arrays discarded_arrays_of(const arguments& given, std::uint64_t seed);

/// One call for what its run leaves elsewhere, such as a report: no array comes back.
outcome call_without_outputs(runner_process& runner, const launcher_spec& launcher, const discarded_arrays& arrays,
                             double timeout_s);

}  // namespace lab::judge
