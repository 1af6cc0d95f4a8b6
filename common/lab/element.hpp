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
    static_assert(sizeof(T) == 0, "a launcher's parameters must be numbers or pointers to numbers");
}

constexpr bool is_floating(element type) { return type == element::f32 || type == element::f64; }

/// Calls `function` with a zero of the C++ type: with_element(type, [](auto zero) { using T = decltype(zero); }).
template <class F>
decltype(auto) with_element(element type, F&& function) {
  switch (type) {
    case element::i32:
      return function(int{});
    case element::u32:
      return function(unsigned{});
    case element::i64:
      return function(std::int64_t{});
    case element::f32:
      return function(float{});
    case element::f64:
      return function(double{});
    case element::u8:
      return function(static_cast<unsigned char>(0));
    case element::u16:
      break;
  }
  return function(static_cast<unsigned short>(0));
}

/// Size of one element in bytes.
inline std::size_t bytes_of(element type) {
  return with_element(type, [](auto zero) { return sizeof zero; });
}

/// Element `index` of an array of T, given as bytes of any alignment.
template <class T>
T load_element(std::span<const std::byte> array, std::int64_t index) {
  T value;
  std::memcpy(&value, array.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

/// The type's name in C++, for messages.
std::string_view spelling(element type);

}  // namespace lab
