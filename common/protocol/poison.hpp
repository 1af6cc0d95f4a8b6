#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::judge {

/// What fills outputs and guard zones before a call: words that differ from place to place, from parameter to parameter
/// and from call to call. As floats they are some ten thousands, so that arithmetic on them shows: it neither
/// vanishes in NaN nor in rounding. As integers they are over a thousand million.
class poison {
 public:
  poison(std::uint64_t call_seed, std::size_t parameter)
      : key_{mix(call_seed + 0x9e3779b97f4a7c15 * (parameter + 1))} {}

  /// Fills a whole image.
  void fill(std::span<std::byte> image) const;

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  std::uint32_t word(std::size_t index) const {
    return 0x47000000u | (static_cast<std::uint32_t>(mix(key_ + index)) & 0x80ffffffu);
  }
  std::uint64_t key_;
};

}  // namespace lab::judge
