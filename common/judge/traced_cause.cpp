#include "judge/traced_cause.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/hazard_kinds.hpp"
#include "trace/hazard_message.hpp"
#include "trace/shared_update.hpp"

namespace lab::judge {

namespace {

using enum diagnosis_kind;
using sim::hazard_kind;

bool is(const hazard& found, hazard_kind kind) { return found.kind == sim::hazard_word(kind); }

template <class... K>
bool one_of(diagnosis_kind kind, K... kinds) {
  return ((kind == kinds) || ...);
}

// Names no cause that a fact must respect.
bool vague(diagnosis_kind guess) {
  return one_of(guess, diagnosis_kind::none, wrong_everywhere, scattered, nondeterministic, nan);
}

// The runtime itself said so.
bool told_by_cuda(diagnosis_kind guess) { return one_of(guess, bad_copy, bytes_for_elements, bad_launch, bad_handle); }

// What explains wrong values best comes first: what ends a kernel or keeps it from running, then barriers, then
// accesses to the wrong place, which cause races and reads of what was never written in their turn. 0: explains
// nothing.
int rank(const hazard& found, const traced_failure& traced) {
  if (is(found, hazard_kind::leak) || is(found, hazard_kind::schedule_dependent) || found.severity == "info") return 0;
  if (is(found, hazard_kind::divergent_barrier)) return 7;  // a warning, too: its threads are missing
  if (is(found, hazard_kind::uninitialized_read)) return 2;
  if (is(found, hazard_kind::race)) return !found.error() ? 1 : shared_update(found, traced.source) ? 4 : 3;
  if (!found.error()) return 0;
  return is(found, hazard_kind::out_of_bounds) ? 5 : is(found, hazard_kind::hang) ? 6 : 8;
}

const hazard* most_telling(const traced_failure& traced) {
  const hazard* best = nullptr;
  for (const auto& found : traced.call.report.hazards)
    if (rank(found, traced) > (best ? rank(*best, traced) : 0)) best = &found;
  return best;
}

// Only the last blocks of a grid that is rounded up have threads without an element. Where an output is a matrix, these
// are the last along x and along y. A hazard does not say in which launch of its kernel it was, so all must agree.
bool has_elements(const hazard& found, const traced_failure& traced) {
  const bool matrix = std::ranges::any_of(traced.given, [](const argument& array) {
    return array.role != parameter_role::input && array.shape.size() > 1;
  });
  const auto inside = [&](const launch& one, std::size_t axis) { return found.block[axis] + 1 < one.grid[axis]; };
  const auto at_the_end = [&](const launch& one) {
    return one.kernel == found.kernel && !(inside(one, 0) && (!matrix || inside(one, 1)));
  };
  const auto& all = traced.call.report.launches;
  return std::ranges::find(all, found.kernel, &launch::kernel) != all.end() && std::ranges::none_of(all, at_the_end);
}

bool wrong_place(const hazard& found, const traced_failure& traced) {
  return is(found, hazard_kind::out_of_bounds) && found.space == "global" && has_elements(found, traced);
}

diagnosis_kind kind_of(const hazard& found, const traced_failure& traced) {
  if (is(found, hazard_kind::out_of_bounds) && counts_elements_as_bytes(found.message, traced.given))
    return bytes_for_elements;
  return wrong_place(found, traced) ? wrong_index : diagnosis_of(found, traced.source);
}

bool says(const hazard& found, std::string_view part) { return found.message.find(part) != std::string::npos; }

// Whether the guess says more about this fact than the fact itself.
bool explains(diagnosis_kind guess, const hazard& found, diagnosis_kind fact, std::size_t launches) {
  if (told_by_cuda(guess)) return true;
  const bool global = found.space == "global";
  if (is(found, hazard_kind::out_of_bounds))
    return one_of(guess, off_by_one, negative_index, rows_and_columns_swapped, wrong_index) ||
           (guess == missing_guard && fact == guess);
  if (is(found, hazard_kind::race)) return global && guess == rows_and_columns_swapped;
  // A thread of the only kernel has reached the element of an output, so no thread is missing.
  if (is(found, hazard_kind::uninitialized_read) && guess == stops_short && says(found, "of `") && launches == 1)
    return false;
  if (is(found, hazard_kind::uninitialized_read))
    return one_of(guess, rows_and_columns_swapped, echo) ||  // nearly all values say so
           (global && one_of(guess, adds_to_output, not_copied_back, untouched, partial_block, first_block_only,
                             stops_short, tile_holes, last_element));
  return is(found, hazard_kind::launch_error) && guess == partial_block;
}

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

diagnosis fact(const hazard& found, diagnosis_kind kind, const traced_failure& traced) {
  if (stored_twice(found))
    return {kind, trimmed(fmt::format("{}\nThe traced run at {} shows where:\n{}", advice_for(found), traced.size,
                                      evidence(found, traced.source)))};
  const auto text =
      kind == wrong_index
          ? describe(found, traced.source,
                     "This block is not at the end of the grid, so its threads have elements, and no guard for surplus "
                     "threads is missing: the index is wrong, or the bound of a loop. Which array, extent or "
                     "stride does it use?")
      : kind == bytes_for_elements
          ? describe(found, traced.source, wrong_number_of_bytes("The allocation is too small.").text)
          : describe(found, traced.source);
  return {kind, trimmed(fmt::format("The traced run at {} shows: {}", traced.size, text))};
}

// The rest of the array has several owners, so that the first block's part alone is right.
diagnosis changed_by_several_blocks(const hazard& found, const traced_failure& traced) {
  return {
      first_block_only,
      trimmed(fmt::format("Only one block's worth of the output is right, because several blocks store in the elements "
                          "behind it. Does the index contain blockIdx? Is the step of a loop the number of threads of "
                          "the whole grid?\nThe traced run at {} shows where:\n{}",
                          traced.size, where(found, traced.source)))};
}

std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ") + 1); }

std::string without_doubt(std::string text) {
  const std::string_view doubt{may_be_a_race};
  if (const auto at = text.find(doubt); at != std::string::npos) text.erase(at, doubt.size());
  return text;
}

// What no hazard at all means.
std::optional<diagnosis> without_hazard(const diagnosis& guess, const traced_failure& traced) {
  const auto clean =
      fmt::format("The traced run at {} found no race and no read of memory without a value", traced.size);
  if (guess.kind == missing_barrier)
    return diagnosis{wrong_index,
                     fmt::format("{} {}, so no barrier is missing: an index, a loop or a guard of the tile "
                                 "is wrong.",
                                 first_sentence(guess.text), clean)};
  if (guess.kind == nondeterministic)
    return diagnosis{guess.kind, "The result differs from call to call. " + clean +
                                     ", so no barrier is missing: does a variable keep a value from an earlier call?"};
  if (one_of(guess.kind, wrong_everywhere, scattered))
    return diagnosis{guess.kind,
                     fmt::format("{} {}: an index, a loop or a formula is wrong.", without_doubt(guess.text), clean)};
  return {};
}

}  // namespace

std::optional<diagnosis> cause_by_trace(const diagnosis& guess, const traced_failure& traced) {
  const auto* const found = most_telling(traced);
  const bool whole = traced.call.reported && traced.call.verdict == verdict_kind::pass;
  if (!found) return whole ? without_hazard(guess, traced) : std::nullopt;
  const auto kind = kind_of(*found, traced);
  // The copy is in host code, and the kernel only reads what it left without values.
  if (told_by_cuda(guess.kind) && is(*found, hazard_kind::uninitialized_read)) return guess;
  if (guess.kind == first_block_only && is(*found, hazard_kind::race) && says(*found, "block number"))
    return changed_by_several_blocks(*found, traced);
  if (!explains(guess.kind, *found, kind, traced.call.report.launches.size())) {
    const bool sure = found->error() || vague(guess.kind) || is(*found, hazard_kind::divergent_barrier) ||
                      is(*found, hazard_kind::uninitialized_read) || guess.kind == missing_barrier;
    return sure ? std::optional{fact(*found, kind, traced)} : std::nullopt;
  }
  return diagnosis{guess.kind, trimmed(fmt::format("{}\nThe traced run at {} shows where:\n{}", guess.text, traced.size,
                                                   where(*found, traced.source)))};
}

}  // namespace lab::judge
