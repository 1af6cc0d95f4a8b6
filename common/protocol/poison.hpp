#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::judge {

/// The initial contents of outputs and guard zones: 32-bit words that differ between places, parameters and calls. As
/// floats they are in the ten thousands, so that arithmetic on them is visible: it neither becomes NaN nor vanishes in
/// rounding. As integers they are beyond 10^9 (docs/design/guard-zones-and-poison.md).
class poison {
 public:
  poison(std::uint64_t call_seed, std::size_t parameter)
      : key_{mix(call_seed + 0x9e3779b97f4a7c15 * (parameter + 1))} {}

  /// Fills a whole guarded array.
  void fill(std::span<std::byte> array) const;

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  // Two neighbouring words.
  std::uint64_t words(std::size_t pair) const { return 0x4700000047000000u | (mix(key_ + pair) & 0x80ffffff80ffffffu); }
  std::uint64_t key_;
};

}  // namespace lab::judge
