#include "lab/verdict.hpp"

#include <algorithm>
#include <array>

namespace lab {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 23> words{"pass",
                                                 "wrong_answer",
                                                 "out_of_bounds",
                                                 "input_modified",
                                                 "race",
                                                 "divergent_barrier",
                                                 "uninitialized_read",
                                                 "misaligned",
                                                 "launch_error",
                                                 "crash",
                                                 "timeout",
                                                 "memory_limit",
                                                 "output_limit",
                                                 "exited_early",
                                                 "compile_error",
                                                 "compile_limit",
                                                 "collect_error",
                                                 "rejected",
                                                 "protocol_violation",
                                                 "nondeterministic",
                                                 "gate",
                                                 "infra_error",
                                                 "skipped"};
static_assert(words[static_cast<std::size_t>(verdict_kind::skipped)] == "skipped");

}  // namespace

std::string_view word(verdict_kind v) { return words.at(static_cast<std::size_t>(v)); }

std::optional<verdict_kind> verdict_from(std::string_view word) {
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) return std::nullopt;
  return static_cast<verdict_kind>(at - words.begin());
}

}  // namespace lab
