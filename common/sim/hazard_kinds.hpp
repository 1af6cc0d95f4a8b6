#pragma once

#include <cstdint>
#include <string_view>

#include "text/word_table.hpp"

namespace lab::sim {

// Every kind of hazard, by its word in reports. hazards.md explains each.
#define LAB_HAZARD_KINDS(KIND)  \
  KIND(race)                    \
  KIND(out_of_bounds)           \
  KIND(use_after_free)          \
  KIND(host_pointer)            \
  KIND(device_pointer)          \
  KIND(uninitialized_read)      \
  KIND(misaligned)              \
  KIND(divergent_barrier)       \
  KIND(invalid_sync_mask)       \
  KIND(launch_error)            \
  KIND(missing_synchronization) \
  KIND(livelock)                \
  KIND(hang)                    \
  KIND(constant_write)          \
  KIND(schedule_dependent)      \
  KIND(leak)                    \
  KIND(host_code)

enum class hazard_kind : std::uint8_t { LAB_HAZARD_KINDS(LAB_ENUMERATOR) };

/// The words of all kinds, in the order of the enumeration.
constexpr std::string_view hazard_words[] = {LAB_HAZARD_KINDS(LAB_WORD)};

constexpr std::string_view hazard_word(hazard_kind kind) { return hazard_words[static_cast<int>(kind)]; }

}  // namespace lab::sim
