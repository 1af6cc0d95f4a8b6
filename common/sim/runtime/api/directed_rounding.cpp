#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lab_sim/device.h"

namespace {

using lab_sim::rounding;

// The processor rounds as asked between construction and destruction. Volatile operands keep the operation there.
class rounds {
 public:
  explicit rounds(rounding mode) : before_{std::fegetround()} {
    std::fesetround(mode == rounding::down ? FE_DOWNWARD : mode == rounding::up ? FE_UPWARD : FE_TOWARDZERO);
  }
  rounds(const rounds&) = delete;
  rounds& operator=(const rounds&) = delete;
  ~rounds() { std::fesetround(before_); }

 private:
  int before_;
};

template <class To, class From>
To converted(rounding mode, From x) {
  const rounds as_asked{mode};
  const volatile From given = x;
  const volatile To result = static_cast<To>(given);
  return result;
}

// To set the rounding of the processor takes ten times as long as a sum. So most results are rounded to the nearest
// value, and one step further if what that leaves is on the other side.

// Whether a result is so far from the smallest and largest values that nothing is lost of what it leaves.
template <class T>
bool is_usual(T result) {
  using limits = std::numeric_limits<T>;
  constexpr T least = limits::min() / limits::epsilon() / limits::epsilon() * 4, most = limits::max() / 4;
  return std::fabs(result) >= least && std::fabs(result) <= most;
}

template <class T>
T stepped(rounding mode, T nearest, T rest) {
  using bits_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const bool up = mode == rounding::up || (mode == rounding::zero && nearest < 0);
  const bits_of step = up ? rest > 0 : -(rest < 0);
  return __builtin_bit_cast(T, __builtin_bit_cast(bits_of, nearest) + (nearest > 0 ? step : -step));
}

#if defined(__x86_64__)
const bool has_fma = __builtin_cpu_supports("fma");
#define LAB_SIM_WITH_FMA __attribute__((target("fma")))
#else
constexpr bool has_fma = true;
#define LAB_SIM_WITH_FMA
#endif

template <class T>
LAB_SIM_WITH_FMA T usual_product(rounding mode, T x, T y, T nearest) {
  return stepped(mode, nearest, std::fma(x, y, -nearest));
}
template <class T>
LAB_SIM_WITH_FMA T usual_quotient(rounding mode, T x, T y, T nearest) {
  const T rest = std::fma(-nearest, y, x);
  return stepped(mode, nearest, y < 0 ? -rest : rest);
}

}  // namespace

namespace lab_sim {

template <class T>
T rounded<T>::sum(rounding mode, T x, T y) {
  const T nearest = x + y;
  if (nearest == 0) return std::signbit(x) == std::signbit(y) ? x : mode == rounding::down ? -T{0} : T{0};
  if (std::fabs(nearest) <= std::numeric_limits<T>::max() / 4) {  // a sum loses nothing near zero
    const T of_y = nearest - x;
    return stepped(mode, nearest, (x - (nearest - of_y)) + (y - of_y));
  }
  const rounds as_asked{mode};
  const volatile T a = x, b = y, result = a + b;
  return result;
}

template <class T>
T rounded<T>::product(rounding mode, T x, T y) {
  if (const T nearest = x * y; has_fma && is_usual(nearest)) return usual_product(mode, x, y, nearest);
  const rounds as_asked{mode};
  const volatile T a = x, b = y, result = a * b;
  return result;
}

template <class T>
T rounded<T>::quotient(rounding mode, T x, T y) {
  if (const T nearest = x / y; has_fma && is_usual(nearest) && is_usual(x)) return usual_quotient(mode, x, y, nearest);
  const rounds as_asked{mode};
  const volatile T a = x, b = y, result = a / b;
  return result;
}

template <class T>
T rounded<T>::root(rounding mode, T x) {
  const rounds as_asked{mode};
  const volatile T a = x, result = std::sqrt(a);
  return result;
}

template <class T>
T rounded<T>::fma(rounding mode, T x, T y, T z) {
  const rounds as_asked{mode};
  const volatile T a = x, b = y, c = z, result = std::fma(a, b, c);
  return result;
}

template <class T>
T rounded<T>::of(rounding mode, long long x) {
  return converted<T>(mode, x);
}
template <class T>
T rounded<T>::of(rounding mode, unsigned long long x) {
  return converted<T>(mode, x);
}
template <class T>
T rounded<T>::of(rounding mode, double x) {
  return converted<T>(mode, x);
}

template struct rounded<float>;
template struct rounded<double>;

}  // namespace lab_sim
