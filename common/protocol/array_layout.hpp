#pragma once

#include <optional>

#include "lab/launcher_spec.hpp"
#include "protocol/messages.hpp"
#include "support/memory_file.hpp"

namespace lab::judge {

/// Offsets of a call's arguments in the files that judge and runner share.
struct array_layout {
  std::vector<protocol::slot> slots;  ///< in the order of the launcher's parameters
  std::size_t file_bytes = 0;
  bool pooled = false;     ///< all arrays in one allocation
  bool discarded = false;  ///< no array comes back, and blank ones have no room

  std::span<const std::byte> payload(std::size_t parameter, std::span<const std::byte> file) const {
    const auto& slot = slots[parameter];
    return file.subspan(slot.offset + slot.guard, slot.bytes);
  }
};

/// Guard zones catch stores outside an array. Bare arrays have none: the simulator's tracer sees such stores itself,
/// and also sees reads of an output before its first store. The last two are for timing: misaligned arrays are guarded
/// and begin one element behind a multiple of 256 bytes; pooled arrays lie one after the other in one allocation.
/// Discarded arrays are bare, and no array comes back, so outputs take no room in the files.
enum class zones { guarded, bare, misaligned, pooled, discarded };
array_layout lay_out(const arguments& all, zones around = zones::guarded);

/// The file `in` of a call: the inputs, poison of this call everywhere else, and then the bytes of `more`.
memory_file initial_arrays(const arguments& all, const array_layout& layout, std::uint64_t call_seed,
                           std::span<const std::byte> more = {});

/// Stores outside an array.
struct stray_store {
  std::size_t parameter = 0;
  bool before = false;       ///< in front of the array; otherwise past its end
  std::size_t nearest = 0;   ///< distance of the closest one in elements; 1 is the element next to the array
  std::size_t farthest = 0;  ///< distance of the farthest one that a guard zone caught
};
std::optional<stray_store> find_stray(const array_layout& layout, std::span<const std::byte> before,
                                      std::span<const std::byte> after);

/// The first parameter that is an input, yet has changed.
std::optional<std::size_t> find_modified_input(const array_layout& layout, std::span<const std::byte> before,
                                               std::span<const std::byte> after);

}  // namespace lab::judge
