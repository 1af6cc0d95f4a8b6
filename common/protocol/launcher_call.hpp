#pragma once

#include "protocol/array_layout.hpp"
#include "protocol/runner_process.hpp"

namespace lab::judge {

/// A request for a call or a measurement of a launcher whose arguments lie as said.
protocol::request request_for(const launcher_spec& launcher, const array_layout& where, protocol::command what);

/// All arguments of a call as its launcher left them in the shared file.
arguments arguments_after(arguments given, const array_layout& where, std::span<const std::byte> file);

/// What one call came to whose outputs are not judged.
struct unjudged_call {
  outcome end{};
  arguments outputs{};  ///< empty if the launcher did not return
};
unjudged_call call_unjudged(runner_process& runner, const launcher_spec& launcher, const arguments& given,
                            const array_layout& where, std::uint64_t seed, double timeout_s);

}  // namespace lab::judge
