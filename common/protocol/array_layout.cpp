#include "protocol/array_layout.hpp"

#include <algorithm>
#include <cstring>

#include "protocol/poison.hpp"

namespace lab::judge {

namespace {

// Wide enough to catch a 2-D kernel without a bounds guard, which overshoots by most of a tile of rows.
std::size_t guard_for(std::size_t payload) {
  return std::clamp<std::size_t>(payload / 4 / 256 * 256, 256 << 10, 1 << 20);
}

protocol::slot slot_of(const argument& a, std::size_t offset, zones z) {
  protocol::slot s{};
  s.element = static_cast<std::uint8_t>(a.type);
  if (a.role == parameter_role::scalar) {
    s.kind = protocol::slot_kind::scalar;
    std::memcpy(s.value, a.bytes.data(), std::min(a.bytes.size(), sizeof s.value));
    return s;
  }
  s.kind = protocol::slot_kind::array;
  s.reads = a.role != parameter_role::output;
  s.writes = a.role != parameter_role::input;
  s.offset = offset;
  s.bytes = a.size_bytes();
  s.guard = z == zones::bare ? 0 : guard_for(s.bytes);
  s.blank = z == zones::bare && a.role == parameter_role::output;
  return s;
}

using bytes = std::span<const std::byte>;

// How many elements from the payload the first and the last changed byte of a zone lie.
std::optional<std::pair<std::size_t, std::size_t>> changed(bytes before, bytes after, std::size_t element) {
  if (std::memcmp(before.data(), after.data(), before.size()) == 0) return std::nullopt;
  const auto first = std::ranges::mismatch(before, after).in1 - before.begin();
  auto last = static_cast<std::ptrdiff_t>(before.size()) - 1;
  while (before[last] == after[last]) --last;
  return std::pair{static_cast<std::size_t>(first) / element, static_cast<std::size_t>(last) / element};
}

}  // namespace

array_layout lay_out(const arguments& all, zones z) {
  if (all.size() > protocol::most_slots) throw std::logic_error("a launcher with too many parameters");
  array_layout where;
  for (const auto& a : all) {
    const auto& s = where.slots.emplace_back(slot_of(a, where.file_bytes, z));
    where.file_bytes += (s.guard + s.bytes + s.guard + 4095) / 4096 * 4096;
  }
  where.file_bytes = std::max<std::size_t>(where.file_bytes, 4096);
  return where;
}

memory_file initial_arrays(const arguments& all, const array_layout& where, std::uint64_t call_seed, bytes more) {
  return memory_file::sealed(where.file_bytes + more.size(), [&](std::span<std::byte> file) {
    std::ranges::copy(more, file.begin() + static_cast<std::ptrdiff_t>(where.file_bytes));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& s = where.slots[i];
      if (s.kind == protocol::slot_kind::scalar) continue;
      poison{call_seed, i}.fill(file.subspan(s.offset, s.guard + s.bytes + s.guard));
      if (all[i].role != parameter_role::output) std::ranges::copy(all[i].bytes, file.begin() + s.offset + s.guard);
    }
  });
}

std::optional<stray_store> find_stray(const array_layout& where, bytes before, bytes after) {
  for (std::size_t i = 0; i < where.slots.size(); ++i) {
    const auto& s = where.slots[i];
    if (s.kind == protocol::slot_kind::scalar) continue;
    const std::size_t element = bytes_of(static_cast<lab::element>(s.element)), end = s.offset + s.guard + s.bytes;
    if (const auto c = changed(before.subspan(end, s.guard), after.subspan(end, s.guard), element))
      return stray_store{i, false, c->first + 1, c->second + 1};
    if (const auto c = changed(before.subspan(s.offset, s.guard), after.subspan(s.offset, s.guard), element))
      return stray_store{i, true, s.guard / element - c->second, s.guard / element - c->first};
  }
  return std::nullopt;
}

std::optional<std::size_t> find_modified_input(const array_layout& where, bytes before, bytes after) {
  for (std::size_t i = 0; i < where.slots.size(); ++i) {
    const auto& s = where.slots[i];
    if (s.kind == protocol::slot_kind::scalar || s.writes) continue;
    if (std::memcmp(where.payload(i, before).data(), where.payload(i, after).data(), s.bytes) != 0) return i;
  }
  return std::nullopt;
}

}  // namespace lab::judge
