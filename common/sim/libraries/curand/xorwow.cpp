#include <array>
#include <mutex>
#include <vector>

#include "curand_kernel.h"
#include "lab_sim/device.h"

// Skips steps of xorwow. A step is linear over bits, so many steps are one product with a matrix of 160 x 160 bits.

namespace {

constexpr unsigned words = 5, bits = 32 * words;
using state = std::array<unsigned, words>;
using matrix = std::array<state, bits>;  // what becomes of each bit of a state

state times(const state& s, const matrix& m) {
  state result{};
  for (unsigned w = 0; w < words; ++w)
    for (unsigned rest = s[w]; rest != 0; rest &= rest - 1) {
      const state& row = m[32 * w + static_cast<unsigned>(__builtin_ctz(rest))];
      for (unsigned i = 0; i < words; ++i) result[i] ^= row[i];
    }
  return result;
}

matrix times(const matrix& first, const matrix& second) {
  matrix result;
  for (unsigned b = 0; b < bits; ++b) result[b] = times(first[b], second);
  return result;
}

matrix one_step() {
  matrix m{};
  for (unsigned b = 0; b < bits; ++b) {
    state s{};
    s[b / 32] = 1u << b % 32;
    const unsigned t = s[0] ^ (s[0] >> 2);
    m[b] = {s[1], s[2], s[3], s[4], (s[4] ^ (s[4] << 4)) ^ (t ^ (t << 1))};
  }
  return m;
}

matrix squared(matrix m, unsigned times_squared) {
  for (unsigned i = 0; i < times_squared; ++i) m = times(m, m);
  return m;
}

// Powers of a matrix: for each digit of 4 bits of the exponent, the powers with one to fifteen in this digit.
class powers {
 public:
  explicit powers(const matrix& base) : next_{base} {}

  state apply(state s, unsigned long long exponent) {
    for (unsigned digit = 0; exponent != 0; ++digit, exponent >>= 4)
      if (const unsigned value = exponent & 15; value != 0) s = times(s, of(digit)[value - 1]);
    return s;
  }

 private:
  using digit_powers = std::array<matrix, 15>;

  const digit_powers& of(unsigned digit) {
    const std::lock_guard lock{guard_};
    while (made_ <= digit) {
      auto& all = *(digits_[made_] = new digit_powers);
      all[0] = next_;
      for (unsigned i = 1; i < 15; ++i) all[i] = times(all[i - 1], next_);
      next_ = times(all[14], next_);
      ++made_;
    }
    return *digits_[digit];
  }

  std::mutex guard_;
  matrix next_;
  unsigned made_ = 0;
  std::array<digit_powers*, 16> digits_{};  // kept until the program ends
};

}  // namespace

void lab_sim::skip_xorwow(unsigned (&v)[5], unsigned long long steps, bool subsequences) {
  if (steps == 0) return;
  static auto* const single = new powers{one_step()};
  static auto* const by_subsequence = new powers{squared(one_step(), 67)};
  const state s = (subsequences ? by_subsequence : single)->apply({v[0], v[1], v[2], v[3], v[4]}, steps);
  for (unsigned i = 0; i < words; ++i) v[i] = s[i];
}
