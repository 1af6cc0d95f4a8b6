#include "sim/runtime/traffic/access_cost.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace lab::sim {

namespace {

// At most 32 lanes of 16 bytes, so at most 128 words.
struct sorted_set {
  std::array<std::uint64_t, 160> value;
  unsigned size = 0;

  void add(std::uint64_t added) {
    if (size > 0 && value[size - 1] == added) return;
    value[size++] = added;
  }
  unsigned distinct() {
    if (!std::is_sorted(value.begin(), value.begin() + size)) std::sort(value.begin(), value.begin() + size);
    return size = static_cast<unsigned>(std::unique(value.begin(), value.begin() + size) - value.begin());
  }
};

unsigned rounded_up(unsigned count, unsigned unit) { return (count + unit - 1) / unit; }

// Whether every active lane has the same address as the lane whose number differs in `bit`.
bool lanes_pair_up(const warp_access& access, unsigned bit) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((access.mask >> lane & 1) &&
        (!(access.mask >> (lane ^ bit) & 1) || access.address[lane] != access.address[lane ^ bit]))
      return false;
  return true;
}

// Whether all lanes access one word, so that no bank delivers two.
bool is_one_word(const warp_access& access, std::uint32_t lanes) {
  if (lanes != ~0u || access.bytes != 4 || access.address[0] % 4 != 0) return false;
  std::uint64_t distances = 0;
  for (unsigned lane = 0; lane < 32; ++lane) distances |= access.address[lane] ^ access.address[0];
  return distances == 0;
}

// Whether every lane accesses a word in a bank of its own. Does not find lanes that share a word.
bool is_one_bank_each(const warp_access& access, std::uint32_t lanes) {
  if (access.bytes != 4) return false;
  std::uint32_t banks = 0;
  std::uint64_t places = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    banks |= (lanes >> lane & 1) << (access.address[lane] / 4 % 32);
    places |= access.address[lane];
  }
  return places % 4 == 0 && std::popcount(banks) == std::popcount(lanes);
}

// Whether every bank delivers at most one word: the usual case, which needs no sorting.
bool without_conflict(const warp_access& access, std::uint32_t lanes) {
  std::array<std::uint64_t, 32> word_of_bank{};  // + 1
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      for (std::uint64_t w = access.address[lane] / 4; w <= (access.address[lane] + access.bytes - 1) / 4; ++w) {
        auto& known = word_of_bank[w % 32];
        if (known != 0 && known != w + 1) return false;
        known = w + 1;
      }
  return true;
}

// The most words that one of the 32 banks delivers to these lanes.
unsigned busiest_bank(const warp_access& access, std::uint32_t lanes) {
  if (is_one_bank_each(access, lanes) || is_one_word(access, lanes) || without_conflict(access, lanes)) return 1;
  sorted_set words;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      for (std::uint64_t w = access.address[lane] / 4; w <= (access.address[lane] + access.bytes - 1) / 4; ++w)
        words.add(w);
  std::array<unsigned char, 32> load{};
  words.distinct();
  for (unsigned i = 0; i < words.size; ++i) ++load[words.value[i] % 32];
  return *std::max_element(load.begin(), load.end());
}

}  // namespace

unsigned distinct_addresses(const warp_access& access) {
  sorted_set addresses;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (access.mask >> lane & 1) addresses.add(access.address[lane]);
  return addresses.distinct();
}

unsigned largest_crowd(const warp_access& access) {
  unsigned most = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned here = 0;
    for (unsigned other = 0; other < 32; ++other)
      here += (access.mask >> lane & access.mask >> other & 1) && access.address[lane] == access.address[other];
    most = std::max(most, here);
  }
  return most;
}

// Whether the warp accesses one piece of memory, in order: the usual case, which needs no sorting.
static bool is_row(const warp_access& access) {
  if (access.mask != ~0u) return false;
  std::uint64_t gaps = 0;
  for (unsigned lane = 0; lane < 32; ++lane) gaps |= (access.address[lane] - access.address[0]) ^ (lane * access.bytes);
  return gaps == 0;
}

sector_cost global_cost(const warp_access& access) {
  if (is_row(access)) {
    const auto first = access.address[0] / 32, last = (access.address[31] + access.bytes - 1) / 32;
    return {static_cast<unsigned>(last - first + 1), access.bytes};
  }
  sorted_set sectors;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (access.mask >> lane & 1)
      for (std::uint64_t s = access.address[lane] / 32; s <= (access.address[lane] + access.bytes - 1) / 32; ++s)
        sectors.add(s);
  const unsigned touched = sectors.distinct(),
                 needed = rounded_up(unsigned(std::popcount(access.mask)) * access.bytes, 32);
  return {touched, std::min(touched, needed)};
}

unsigned cache_lines(const warp_access& access) {
  sorted_set lines;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (access.mask >> lane & 1)
      for (std::uint64_t l = access.address[lane] / 128; l <= (access.address[lane] + access.bytes - 1) / 128; ++l)
        lines.add(l);
  return lines.distinct();
}

wavefront_cost shared_cost(const warp_access& access, bool load) {
  const bool pairs = load && access.bytes > 4 && (lanes_pair_up(access, 1) || lanes_pair_up(access, 2));
  unsigned phases =
      access.bytes <= 4 ? 1 : access.bytes / 4;  // the warp, its halves or its quarters, one after another
  if (pairs) phases /= 2;
  const unsigned lanes_each = 32 / phases;
  const std::uint32_t first = lanes_each == 32 ? ~0u : (1u << lanes_each) - 1;
  wavefront_cost cost{0, 0, 0};
  for (unsigned phase = 0; phase < phases; ++phase) {
    const std::uint32_t lanes = access.mask & first << phase * lanes_each;
    if (lanes == 0) continue;
    const unsigned waves = busiest_bank(access, lanes);
    cost.wavefronts += waves;
    cost.conflicts += waves - 1;
  }
  const auto active = static_cast<unsigned>(std::popcount(access.mask)) / (pairs ? 2 : 1);
  cost.ideal = rounded_up(active * access.bytes, 128);
  return cost;
}

}  // namespace lab::sim
