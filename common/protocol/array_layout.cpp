#include "protocol/array_layout.hpp"

#include <algorithm>
#include <cstring>

#include "protocol/poison.hpp"

namespace lab::judge {

namespace {

// A store past the end nearly always changes the zone's first bytes; wider zones show how far it goes. Most cases of a
// check are small, and wide zones would then be most of what is written, copied and compared.
std::size_t guard_for(std::size_t payload) {
  return std::clamp<std::size_t>(payload / 4 / 256 * 256, 64 << 10, 1 << 20);
}

constexpr std::size_t page = 4096, array_alignment = 256;

std::size_t up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// `offset`: where the next page begins. A discarded array ends with its last page, as memory of the simulator does,
// which so can be a view of the file.
protocol::slot slot_of(const lab::argument& argument, std::size_t offset, zones around) {
  protocol::slot slot{};
  slot.element = static_cast<std::uint8_t>(argument.type);
  if (argument.role == parameter_role::scalar) {
    slot.kind = protocol::slot_kind::scalar;
    std::memcpy(slot.value, argument.bytes.data(), std::min(argument.bytes.size(), sizeof slot.value));
    return slot;
  }
  slot.kind = protocol::slot_kind::array;
  slot.reads = argument.role != parameter_role::output;
  slot.writes = argument.role != parameter_role::input;
  slot.bytes = argument.size_bytes();
  slot.offset = offset;
  if (around == zones::discarded) slot.offset += up(slot.bytes, page) - up(slot.bytes, array_alignment);
  const bool bare = around == zones::bare || around == zones::pooled || around == zones::discarded;
  slot.guard = bare ? 0 : guard_for(slot.bytes);
  if (around == zones::misaligned) slot.guard += bytes_of(argument.type);
  slot.blank = (around == zones::bare || around == zones::discarded) && argument.role == parameter_role::output;
  return slot;
}

using bytes = std::span<const std::byte>;

// The distances of the first and the last changed byte from the beginning of a zone, in elements.
std::optional<std::pair<std::size_t, std::size_t>> changed(bytes before, bytes after, std::size_t element) {
  if (std::memcmp(before.data(), after.data(), before.size()) == 0) return std::nullopt;
  const auto first = std::ranges::mismatch(before, after).in1 - before.begin();
  auto last = static_cast<std::ptrdiff_t>(before.size()) - 1;
  while (before[last] == after[last]) --last;
  return std::pair{static_cast<std::size_t>(first) / element, static_cast<std::size_t>(last) / element};
}

}  // namespace

array_layout lay_out(const arguments& all, zones around) {
  if (all.size() > protocol::most_slots) throw std::logic_error("a launcher has too many parameters");
  array_layout layout;
  layout.pooled = around == zones::pooled;
  layout.discarded = around == zones::discarded;
  for (const auto& argument : all) {
    const auto& slot = layout.slots.emplace_back(slot_of(argument, layout.file_bytes, around));
    if (slot.blank && around == zones::discarded) continue;
    layout.file_bytes += up(slot.guard + slot.bytes + slot.guard, page);
  }
  layout.file_bytes = std::max(layout.file_bytes, page);
  return layout;
}

memory_file initial_arrays(const arguments& all, const array_layout& layout, std::uint64_t call_seed, bytes more) {
  return memory_file::sealed(layout.file_bytes + more.size(), [&](std::span<std::byte> file) {
    std::ranges::copy(more, file.begin() + static_cast<std::ptrdiff_t>(layout.file_bytes));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& slot = layout.slots[i];
      if (slot.kind == protocol::slot_kind::scalar || (slot.blank && layout.discarded)) continue;
      const bool given = all[i].role != parameter_role::output;
      if (slot.guard > 0 || !given)
        poison{call_seed, i}.fill(file.subspan(slot.offset, slot.guard + slot.bytes + slot.guard));
      if (given) std::memcpy(file.data() + slot.offset + slot.guard, all[i].bytes.data(), all[i].bytes.size());
    }
  });
}

std::optional<stray_store> find_stray(const array_layout& layout, bytes before, bytes after) {
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    const auto& slot = layout.slots[i];
    if (slot.kind == protocol::slot_kind::scalar) continue;
    const std::size_t element = bytes_of(static_cast<lab::element>(slot.element)),
                      end = slot.offset + slot.guard + slot.bytes;
    if (const auto distances = changed(before.subspan(end, slot.guard), after.subspan(end, slot.guard), element))
      return stray_store{i, false, distances->first + 1, distances->second + 1};
    if (const auto distances =
            changed(before.subspan(slot.offset, slot.guard), after.subspan(slot.offset, slot.guard), element))
      return stray_store{i, true, slot.guard / element - distances->second, slot.guard / element - distances->first};
  }
  return std::nullopt;
}

std::optional<std::size_t> find_modified_input(const array_layout& layout, bytes before, bytes after) {
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    const auto& slot = layout.slots[i];
    if (slot.kind == protocol::slot_kind::scalar || slot.writes) continue;
    if (std::memcmp(layout.payload(i, before).data(), layout.payload(i, after).data(), slot.bytes) != 0) return i;
  }
  return std::nullopt;
}

}  // namespace lab::judge
