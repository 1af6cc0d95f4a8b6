#pragma once

// Shifts as on the device, which clamps the amount to the width of the value. x86 takes it modulo the width. labcc
// turns `a << n` of device code into `a << ::lab_sim::by << n`, and `a <<= n` into `a <<= ::lab_sim::by = n`: the
// operators keep their precedence.

namespace lab_sim {

template <class N>
struct shift_amount {
  N value;
};

struct shift_mark {
  template <class N>
  LAB_SIM_INLINE constexpr shift_amount<N> operator=(N n) const {
    return {n};
  }
};
constexpr shift_mark by{};

// Integers and the enumerations that become one.
template <class T>
constexpr bool is_shifted = std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, long long>);

template <class T>
struct to_shift_left {
  T value;
};
template <class T>
struct to_shift_right {
  T value;
};

template <class T, std::enable_if_t<is_shifted<T>, int> = 0>
LAB_SIM_INLINE constexpr auto operator<<(T value, shift_mark) {
  return to_shift_left<decltype(+value)>{+value};
}
template <class T, std::enable_if_t<is_shifted<T>, int> = 0>
LAB_SIM_INLINE constexpr auto operator>>(T value, shift_mark) {
  return to_shift_right<decltype(+value)>{+value};
}

template <class T, class N, std::enable_if_t<is_shifted<T> && is_shifted<N>, int> = 0>
LAB_SIM_INLINE constexpr T operator<<(to_shift_left<T> what, N n) {
  const auto amount = static_cast<unsigned>(n);
  return amount < sizeof(T) * 8 ? static_cast<T>(what.value << amount) : T{0};
}
template <class T, class N, std::enable_if_t<is_shifted<T> && is_shifted<N>, int> = 0>
LAB_SIM_INLINE constexpr T operator>>(to_shift_right<T> what, N n) {
  const auto amount = static_cast<unsigned>(n);
  return what.value >> (amount < sizeof(T) * 8 ? amount : static_cast<unsigned>(sizeof(T) * 8 - 1)) >>
         (amount < sizeof(T) * 8 || std::is_signed_v<T> ? 0 : 1);
}

// Operators of classes stay what they are.
template <class T, std::enable_if_t<!is_shifted<std::remove_reference_t<T>>, int> = 0>
LAB_SIM_INLINE constexpr to_shift_left<T&&> operator<<(T&& value, shift_mark) {
  return {static_cast<T&&>(value)};
}
template <class T, std::enable_if_t<!is_shifted<std::remove_reference_t<T>>, int> = 0>
LAB_SIM_INLINE constexpr to_shift_right<T&&> operator>>(T&& value, shift_mark) {
  return {static_cast<T&&>(value)};
}
template <class T, class N, std::enable_if_t<!is_shifted<T> || !is_shifted<std::remove_reference_t<N>>, int> = 0>
LAB_SIM_INLINE constexpr decltype(auto) operator<<(to_shift_left<T> what, N&& n) {
  return static_cast<T&&>(what.value) << static_cast<N&&>(n);
}
template <class T, class N, std::enable_if_t<!is_shifted<T> || !is_shifted<std::remove_reference_t<N>>, int> = 0>
LAB_SIM_INLINE constexpr decltype(auto) operator>>(to_shift_right<T> what, N&& n) {
  return static_cast<T&&>(what.value) >> static_cast<N&&>(n);
}

template <class T, class N>
LAB_SIM_INLINE constexpr T& operator<<=(T& value, shift_amount<N> n) {
  if constexpr (is_shifted<T>)
    value = static_cast<T>(value << by << n.value);
  else
    value <<= n.value;
  return value;
}
template <class T, class N>
LAB_SIM_INLINE constexpr T& operator>>=(T& value, shift_amount<N> n) {
  if constexpr (is_shifted<T>)
    value = static_cast<T>(value >> by >> n.value);
  else
    value >>= n.value;
  return value;
}

}  // namespace lab_sim
