#pragma once

#include <string_view>

#include "text/word_table.hpp"

namespace lab::judge {

// Every cause that a check can name, by its word in the JSON documents, in hints.md and in the mutants. diagnoses.md
// explains each; those that are hazards as well are explained in sim/hazards.md.
#define LAB_DIAGNOSES(DIAGNOSIS)             \
  /* seen in the values of an output */      \
  DIAGNOSIS(untouched)                       \
  DIAGNOSIS(not_copied_back)                 \
  DIAGNOSIS(bad_copy)                        \
  DIAGNOSIS(bytes_for_elements)              \
  DIAGNOSIS(missing_guard)                   \
  DIAGNOSIS(off_by_one)                      \
  DIAGNOSIS(negative_index)                  \
  DIAGNOSIS(last_element)                    \
  DIAGNOSIS(partial_block)                   \
  DIAGNOSIS(first_block_only)                \
  DIAGNOSIS(stops_short)                     \
  DIAGNOSIS(every_kth)                       \
  DIAGNOSIS(tile_holes)                      \
  DIAGNOSIS(missing_barrier)                 \
  DIAGNOSIS(wrong_index)                     \
  DIAGNOSIS(rows_and_columns_swapped)        \
  DIAGNOSIS(echo)                            \
  DIAGNOSIS(constant_factor)                 \
  DIAGNOSIS(constant_offset)                 \
  DIAGNOSIS(adds_to_output)                  \
  DIAGNOSIS(zeros)                           \
  DIAGNOSIS(missing_terms)                   \
  DIAGNOSIS(partial_tile)                    \
  DIAGNOSIS(nan)                             \
  DIAGNOSIS(rounding)                        \
  DIAGNOSIS(wrong_everywhere)                \
  DIAGNOSIS(scattered)                       \
  DIAGNOSIS(nondeterministic)                \
  /* an error of CUDA, or seen in a trace */ \
  DIAGNOSIS(bad_launch)                      \
  DIAGNOSIS(bad_handle)                      \
  DIAGNOSIS(race)                            \
  DIAGNOSIS(missing_atomic)                  \
  DIAGNOSIS(uninitialized_read)              \
  DIAGNOSIS(shared_bounds)                   \
  DIAGNOSIS(misaligned)                      \
  DIAGNOSIS(divergent_barrier)               \
  DIAGNOSIS(invalid_sync_mask)               \
  DIAGNOSIS(use_after_free)                  \
  DIAGNOSIS(host_pointer)                    \
  DIAGNOSIS(device_pointer)                  \
  DIAGNOSIS(missing_synchronization)         \
  DIAGNOSIS(livelock)                        \
  DIAGNOSIS(hang)                            \
  DIAGNOSIS(constant_write)                  \
  DIAGNOSIS(leak)                            \
  DIAGNOSIS(host_code)                       \
  /* a gate that failed */                   \
  DIAGNOSIS(uncoalesced)                     \
  DIAGNOSIS(bank_conflicts)                  \
  DIAGNOSIS(redundant_loads)                 \
  DIAGNOSIS(global_atomics)                  \
  DIAGNOSIS(wasted_work)                     \
  DIAGNOSIS(too_few_blocks)                  \
  DIAGNOSIS(serialized)                      \
  DIAGNOSIS(not_on_device)

/// `none` stands for no diagnosis; its word is empty.
enum class diagnosis_kind { none, LAB_DIAGNOSES(LAB_ENUMERATOR) };

/// The words of all kinds, in the order of the enumeration.
constexpr std::string_view diagnosis_words[] = {"", LAB_DIAGNOSES(LAB_WORD)};

constexpr std::string_view word(diagnosis_kind kind) { return diagnosis_words[static_cast<int>(kind)]; }

}  // namespace lab::judge
