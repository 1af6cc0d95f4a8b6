#pragma once

#include <optional>

#include "lab/launcher_spec.hpp"
#include "protocol/messages.hpp"
#include "support/memory_file.hpp"

namespace lab::judge {

/// Where each argument of a call lies in the files that the judge and the runner share.
struct array_layout {
  std::vector<protocol::slot> slots;  ///< in the launcher's order
  std::size_t file_bytes = 0;

  std::span<const std::byte> payload(std::size_t parameter, std::span<const std::byte> file) const {
    const auto& s = slots[parameter];
    return file.subspan(s.offset + s.guard, s.bytes);
  }
};

/// Guard zones catch what strays outside an array. The simulator's tracer sees that by itself, if the arrays are bare;
/// it then also sees whether an output is read before it is written.
enum class zones { guarded, bare };
array_layout lay_out(const arguments& all, zones z = zones::guarded);

/// The file a call begins with: inputs in place, everything else poison of this call; then, if given, more bytes.
memory_file initial_arrays(const arguments& all, const array_layout& where, std::uint64_t call_seed,
                           std::span<const std::byte> more = {});

/// A store outside an array.
struct stray_store {
  std::size_t parameter = 0;
  bool before = false;       ///< in front of the array, else past its end
  std::size_t nearest = 0;   ///< how many elements off the closest stray store is, 1 for the very next element
  std::size_t farthest = 0;  ///< and the farthest that the guard zone caught
};
std::optional<stray_store> find_stray(const array_layout& where, std::span<const std::byte> before,
                                      std::span<const std::byte> after);

/// The first parameter that was to be read only, yet came back different.
std::optional<std::size_t> find_modified_input(const array_layout& where, std::span<const std::byte> before,
                                               std::span<const std::byte> after);

}  // namespace lab::judge
