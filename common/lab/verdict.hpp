#pragma once

#include <optional>
#include <string_view>

namespace lab {

/// What can be said of a case or of a whole submission; the words are those of the JSON documents.
enum class verdict_kind {
  pass,
  wrong_answer,
  out_of_bounds,
  input_modified,
  race,
  divergent_barrier,
  uninitialized_read,
  misaligned,
  launch_error,
  crash,
  timeout,
  memory_limit,
  output_limit,
  exited_early,
  compile_error,
  compile_limit,
  collect_error,
  rejected,
  protocol_violation,
  nondeterministic,
  gate,  ///< right, but with more traffic than the card allows
  infra_error,
  skipped,
};

std::string_view word(verdict_kind v);
std::optional<verdict_kind> verdict_from(std::string_view word);

}  // namespace lab
