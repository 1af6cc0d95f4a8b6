#pragma once

#include <optional>
#include <string_view>

namespace lab {

/// The verdict on a case or a submission; its word in the JSON documents is the enumerator's name.
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
  gate,  ///< right, but with more traffic than the lab's gates allow
  infra_error,
  skipped,
};

/// The verdict's word, and the verdict of a word.
std::string_view word(verdict_kind verdict);
std::optional<verdict_kind> verdict_from(std::string_view word);

}  // namespace lab
