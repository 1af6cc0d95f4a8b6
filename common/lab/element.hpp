#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace lab {

/// The element types that a launcher's parameters may have.
enum class element : std::uint8_t { i32, u32, i64, f32, f64, u8, u16 };

template <class T>
constexpr element element_of() {
  if constexpr (std::is_same_v<T, int>)
    return element::i32;
  else if constexpr (std::is_same_v<T, unsigned>)
    return element::u32;
  else if constexpr (std::is_same_v<T, long> || std::is_same_v<T, long long>)
    return element::i64;
  else if constexpr (std::is_same_v<T, float>)
    return element::f32;
  else if constexpr (std::is_same_v<T, double>)
    return element::f64;
  else if constexpr (std::is_same_v<T, unsigned char>)
    return element::u8;
  else if constexpr (std::is_same_v<T, unsigned short>)
    return element::u16;
  else
    static_assert(sizeof(T) == 0, "a launcher's parameters are numbers or pointers to numbers");
}

constexpr bool is_floating(element e) { return e == element::f32 || e == element::f64; }

/// Calls f with a value of the C++ type that e stands for: with_element(e, [](auto zero) { using T = decltype(zero);
/// }).
template <class F>
decltype(auto) with_element(element e, F&& f) {
  switch (e) {
    case element::i32:
      return f(int{});
    case element::u32:
      return f(unsigned{});
    case element::i64:
      return f(std::int64_t{});
    case element::f32:
      return f(float{});
    case element::f64:
      return f(double{});
    case element::u8:
      return f(static_cast<unsigned char>(0));
    case element::u16:
      break;
  }
  return f(static_cast<unsigned short>(0));
}

/// Size of one element in bytes.
inline std::size_t bytes_of(element e) {
  return with_element(e, [](auto zero) { return sizeof zero; });
}

/// Element `index` of an array of T given as bytes, which need not be aligned.
template <class T>
T load_element(std::span<const std::byte> array, std::int64_t index) {
  T value;
  std::memcpy(&value, array.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

/// The type's name in C++, as a message shows it.
std::string_view spelling(element e);

}  // namespace lab
