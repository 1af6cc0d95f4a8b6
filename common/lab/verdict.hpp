#pragma once

#include <optional>
#include <string_view>

#include "text/word_table.hpp"

namespace lab {

// The verdicts on a case or a submission, by their words in the JSON documents; diagnosis/verdicts.md explains each.
// `gate` is a right result with more traffic than the lab's gates allow.
#define LAB_VERDICTS(VERDICT) \
  VERDICT(pass)               \
  VERDICT(wrong_answer)       \
  VERDICT(out_of_bounds)      \
  VERDICT(input_modified)     \
  VERDICT(race)               \
  VERDICT(divergent_barrier)  \
  VERDICT(uninitialized_read) \
  VERDICT(misaligned)         \
  VERDICT(launch_error)       \
  VERDICT(crash)              \
  VERDICT(timeout)            \
  VERDICT(memory_limit)       \
  VERDICT(output_limit)       \
  VERDICT(exited_early)       \
  VERDICT(compile_error)      \
  VERDICT(compile_limit)      \
  VERDICT(collect_error)      \
  VERDICT(unreadable)         \
  VERDICT(rejected)           \
  VERDICT(protocol_violation) \
  VERDICT(nondeterministic)   \
  VERDICT(leak)               \
  VERDICT(gate)               \
  VERDICT(infra_error)        \
  VERDICT(skipped)

enum class verdict_kind { LAB_VERDICTS(LAB_ENUMERATOR) };

/// The words of all verdicts, in the order of the enumeration.
constexpr std::string_view verdict_words[] = {LAB_VERDICTS(LAB_WORD)};

constexpr std::string_view word(verdict_kind verdict) { return verdict_words[static_cast<int>(verdict)]; }
std::optional<verdict_kind> verdict_from(std::string_view word);

}  // namespace lab
