#pragma once

#include "lab_sim/ptx/copies.h"
#include "lab_sim/ptx/integers.h"
#include "lab_sim/waiting.h"

// Inline PTX's loads and stores. All are inlined, so that a traced program sees an access in the kernel, of the whole
// width of a vector.

namespace lab_sim {
namespace ptx {

/// How an access is ordered: watched is PTX's volatile.
enum class access { plain, watched, relaxed, acquire, release };

/// The unsigned integer of so many bytes, which may alias other types.
template <size_t bytes>
struct cell;
template <>
struct cell<1> {
  typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct cell<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct cell<4> {
  typedef unsigned __attribute__((may_alias)) type;
};
template <>
struct cell<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct cell<16> {
  typedef unsigned type __attribute__((vector_size(16), may_alias));
};

template <class Address>
LAB_SIM_INLINE u64 address_of(Address address, s64 offset) {
  return as<u64>(address) + static_cast<u64>(offset);
}
template <class Address>
LAB_SIM_INLINE void* anywhere(Address address, s64 offset = 0) {
  return (void*)address_of(address, offset);
}
template <class Address>
LAB_SIM_INLINE void* in_shared(Address address, s64 offset = 0) {
  return from_shared_address(address_of(address, offset));
}
LAB_SIM_INLINE u64 to_shared(u64 address) { return to_shared_address((const void*)address); }
LAB_SIM_INLINE u64 of_shared(u64 address) { return (u64)from_shared_address(address); }

constexpr int of_compiler(access how) {
  return how == access::acquire ? __ATOMIC_ACQUIRE : how == access::release ? __ATOMIC_RELEASE : __ATOMIC_RELAXED;
}
constexpr bool is_atomic(access how) {
  return how == access::relaxed || how == access::acquire || how == access::release;
}

template <class Cell, access how>
LAB_SIM_INLINE Cell read(const void* from) {
  const auto* const p = static_cast<const Cell*>(from);
  if constexpr (is_atomic(how) && std::is_integral_v<Cell>) {
    const Cell value = __atomic_load_n(p, of_compiler(how));
    has_read(p, of_compiler(how));
    return value;
  } else if constexpr (how == access::plain) {
    return *p;
  } else {
    const Cell value = *static_cast<const volatile Cell*>(p);
    has_read(p, __ATOMIC_RELAXED);
    return value;
  }
}
template <class Cell, access how>
LAB_SIM_INLINE void write(void* to, Cell value) {
  auto* const p = static_cast<Cell*>(to);
  if constexpr (is_atomic(how) && std::is_integral_v<Cell>)
    __atomic_store_n(p, value, of_compiler(how));
  else if constexpr (how == access::plain)
    *p = value;
  else
    *static_cast<volatile Cell*>(p) = value;
}

/// Loads one T or a vector of them.
template <class T, access how, class... To>
LAB_SIM_INLINE void load_to(const void* from, To&... to) {
  constexpr size_t count = sizeof...(To);
  using unit = typename cell<sizeof(T) * count>::type;
  const unit all = read<unit, how>(from);
  T parts[count];
  __builtin_memcpy(parts, &all, sizeof parts);
  size_t at = 0;
  (set(to, parts[at++]), ...);
}
template <class T, access how, class... From>
LAB_SIM_INLINE void store_from(void* to, From... from) {
  using unit = typename cell<sizeof(T) * sizeof...(From)>::type;
  const T parts[] = {from...};
  unit all;
  __builtin_memcpy(&all, parts, sizeof all);
  write<unit, how>(to, all);
}

}  // namespace ptx
}  // namespace lab_sim
