#include <cfenv>
#include <cmath>

#include "lab_sim/device.h"

namespace {

// The processor rounds as asked between construction and destruction. Volatile operands keep the operation there.
class rounds {
 public:
  explicit rounds(lab_sim::rounding mode) : before_{std::fegetround()} {
    std::fesetround(mode == lab_sim::rounding::down ? FE_DOWNWARD
                    : mode == lab_sim::rounding::up ? FE_UPWARD
                                                    : FE_TOWARDZERO);
  }
  rounds(const rounds&) = delete;
  rounds& operator=(const rounds&) = delete;
  ~rounds() { std::fesetround(before_); }

 private:
  int before_;
};

template <class To, class From>
To converted(lab_sim::rounding mode, From x) {
  const rounds as_asked{mode};
  const volatile From given = x;
  const volatile To result = static_cast<To>(given);
  return result;
}

}  // namespace

namespace lab_sim {

template <class T>
T rounded<T>::sum(rounding mode, T x, T y) {
  const rounds as_asked{mode};
  const volatile T a = x, b = y, result = a + b;
  return result;
}

template <class T>
T rounded<T>::product(rounding mode, T x, T y) {
  const rounds as_asked{mode};
  const volatile T a = x, b = y, result = a * b;
  return result;
}

template <class T>
T rounded<T>::quotient(rounding mode, T x, T y) {
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
