#include "judge/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace lab::judge {

namespace {

using word = std::uint32_t;
using wide = unsigned __int128;
using state = std::array<word, 8>;

// The largest root with below(root), which holds up to there and then no more.
constexpr wide largest(auto below) {
  wide root = 0;
  for (wide bit = wide{1} << 40; bit > 0; bit >>= 1)
    if (below(root | bit)) root |= bit;
  return root;
}

// The standard's constants are the first 32 bits behind the point of roots of the first primes.
struct constants {
  state start{};
  std::array<word, 64> round{};
  constexpr constants() {
    std::size_t n = 0;
    for (unsigned p = 2; n < round.size(); ++p) {
      bool prime = true;
      for (unsigned d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
      if (!prime) continue;
      if (n < start.size()) start[n] = word(largest([p](wide r) { return r * r <= wide{p} << 64; }));
      round[n++] = word(largest([p](wide r) { return r * r * r <= wide{p} << 96; }));
    }
  }
};
constexpr constants of_the_standard;

word mixed(word x, int a, int b, int c) { return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c); }

std::array<word, 64> schedule_of(const char* block) {
  std::array<word, 64> w{};
  for (int i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  for (int i = 16; i < 64; ++i) {
    const word small = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const word large = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + small + w[i - 7] + large;
  }
  return w;
}

void add_block(state& sum, const char* block) {
  const auto w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = sum;
  for (int i = 0; i < 64; ++i) {
    const word one = h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + of_the_standard.round[i] + w[i];
    const word two = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const state more{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace

std::string sha256(std::string_view text) {
  std::string padded{text};
  padded += '\x80';
  padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8);
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(std::uint64_t{text.size()} * 8 >> shift);
  auto sum = of_the_standard.start;
  for (std::size_t at = 0; at < padded.size(); at += 64) add_block(sum, padded.data() + at);
  std::string hex;
  for (const word one : sum) hex += fmt::format("{:08x}", one);
  return hex;
}

}  // namespace lab::judge
