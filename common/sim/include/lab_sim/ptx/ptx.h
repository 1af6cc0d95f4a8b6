#pragma once

#include "lab_sim/ptx/copies.h"
#ifndef LAB_SIM_STRICT
#include <tuple>

#include "lab_sim/ptx/carries.h"
#include "lab_sim/ptx/conversions.h"
#include "lab_sim/ptx/memory.h"
#include "lab_sim/ptx/reals.h"
#include "lab_sim/ptx/video.h"
#include "lab_sim/ptx/warps.h"
#include "lab_sim/tensor/matrix.h"

// Inline PTX. labcc turns  asm("..." : outputs : inputs)  into
//   ::lab_sim::ptx::operands(outputs, inputs) = [](auto&& _0, auto&& _1, ...) { calls };
// with one call of these functions for each instruction.

namespace lab_sim {
namespace ptx {

// A closure, not a tuple: a tuple of the 131 operands of a wgmma takes seconds to compile.
template <class Operands>
struct operand_list {
  Operands pass_to;
  template <class F>
  LAB_SIM_INLINE void operator=(F f) {
    pass_to(f);
  }
};
/// An array stands for its address, as everywhere in C++ but in a reference.
template <class T>
LAB_SIM_INLINE decltype(auto) decayed(T&& one) {
  if constexpr (std::is_array_v<std::remove_reference_t<T>>)
    return &one[0];
  else
    return static_cast<T&&>(one);
}
template <class... T>
LAB_SIM_INLINE auto operands(T&&... each) {
  const auto pass_to = [&](auto& f) __attribute__((always_inline)) { f(decayed(static_cast<T&&>(each))...); };
  return operand_list<decltype(pass_to)>{pass_to};
}

inline unsigned warp_of_block() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
inline unsigned warps_of_block() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
/// A multiprocessor for the block: blocks take turns on all of them.
unsigned multiprocessors();
inline unsigned multiprocessor() {
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % multiprocessors();
}
/// Nanoseconds.
inline unsigned long long global_timer() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1000000000ull + static_cast<unsigned long long>(now.tv_nsec);
}

/// Operands in braces, as the registers of a lane.
template <class... T>
struct registers {
  std::tuple<T&...> all;
  alignas(8) unsigned char bytes[(sizeof(T) + ... + 0)];

  LAB_SIM_INLINE registers(bool reads, T&... each) : all{each...} {
    if (!reads) return;
    unsigned at = 0;
    ((__builtin_memcpy(bytes + at, &each, sizeof(T)), at += sizeof(T)), ...);
  }
  /// Writes what an instruction has left in `bytes` to the operands.
  LAB_SIM_INLINE void assign() {
    std::apply(
        [&](auto&... each) {
          unsigned at = 0;
          ((__builtin_memcpy(&each, bytes + at, sizeof(T)), at += sizeof(T)), ...);
        },
        all);
  }
};
template <class... T>
LAB_SIM_INLINE registers<T...> list(T&&... each) {
  return {true, each...};
}
/// The same for operands that an instruction only writes.
template <class... T>
LAB_SIM_INLINE registers<T...> results(T&&... each) {
  return {false, each...};
}

template <class Address>
LAB_SIM_INLINE void* pointer(Address address, bool in_shared) {
  return in_shared ? from_shared_address(static_cast<size_t>(address)) : (void*)(size_t)address;
}

constexpr int bits(element type) {
  return type == element::half || type == element::bfloat16 ? 16
         : type == element::int8 || type == element::uint8  ? 8
         : type == element::int4 || type == element::uint4  ? 4
         : type == element::bit                             ? 1
         : type == element::float64                         ? 64
                                                            : 32;
}
constexpr bool fits(int elements, element type, size_t bytes) {
  return static_cast<size_t>(elements / 32 * bits(type)) == bytes * 8;
}

template <int m, int n, int k, element a_type, element b_type, element c_type, element d_type, bool saturates,
          bool by_and, class D, class A, class B, class C>
LAB_SIM_INLINE void mma(D d, A a, B b, C c, place at = LAB_SIM_HERE) {
  static_assert(fits(m * k, a_type, sizeof a.bytes) && fits(k * n, b_type, sizeof b.bytes) &&
                    fits(m * n, c_type, sizeof c.bytes) && fits(m * n, d_type, sizeof d.bytes),
                "an operand of this mma has a wrong number of registers");
  const warp_product what = {m, n, k, a_type, b_type, c_type, d_type, saturates, by_and};
  multiply(what, d.bytes, a.bytes, b.bytes, c.bytes, at);
  d.assign();
}

template <bool transposed, class Address, class Registers>
LAB_SIM_INLINE void ldmatrix(Registers to, Address row, place at = LAB_SIM_HERE) {
  load_eights(sizeof to.bytes / 4, transposed, reinterpret_cast<unsigned*>(to.bytes), pointer(row, true), at);
  to.assign();
}
template <bool transposed, class Address, class Registers>
LAB_SIM_INLINE void stmatrix(Address row, Registers from, place at = LAB_SIM_HERE) {
  store_eights(sizeof from.bytes / 4, transposed, reinterpret_cast<const unsigned*>(from.bytes), pointer(row, true),
               at);
}

template <operand which, int m, int n, int k, element type, bool by_rows, bool in_shared, size_t bytes>
constexpr matrix_piece piece() {
  constexpr int different = (which == operand::a ? m * k : which == operand::b ? k * n : m * n) / 32;
  return {which, m, n, k, type, by_rows, static_cast<int>(bytes * 8 / bits(type) / different), in_shared};
}
template <operand which, int m, int n, int k, element type, bool by_rows, bool in_shared, class Address,
          class Registers>
LAB_SIM_INLINE void wmma_load(Registers to, Address from, int stride, place at = LAB_SIM_HERE) {
  constexpr auto what = piece<which, m, n, k, type, by_rows, in_shared, sizeof to.bytes>();
  load(what, to.bytes, pointer(from, in_shared), static_cast<unsigned>(stride), at);
  to.assign();
}
template <operand which, int m, int n, int k, element type, bool by_rows, bool in_shared, class Address,
          class Registers>
LAB_SIM_INLINE void wmma_store(Address to, Registers from, int stride, place at = LAB_SIM_HERE) {
  constexpr auto what = piece<which, m, n, k, type, by_rows, in_shared, sizeof from.bytes>();
  store(what, from.bytes, pointer(to, in_shared), static_cast<unsigned>(stride), at);
}
template <int m, int n, int k, element a_type, element c_type, element d_type, bool saturates, class D, class A,
          class B, class C>
LAB_SIM_INLINE void wmma_mma(D d, A a, B b, C c, place at = LAB_SIM_HERE) {
  const warp_product what = {m, n, k, a_type, a_type, c_type, d_type, saturates, false};
  multiply(what, d.bytes, a.bytes, b.bytes, c.bytes, at);
  d.assign();
}

template <class To, class From>
LAB_SIM_INLINE void cp_async(To to, From from, int bytes, int from_bytes) {
  copy_async(pointer(to, true), (const void*)from, static_cast<unsigned>(bytes),
             static_cast<unsigned>(from_bytes < bytes ? bytes - from_bytes : 0));
}

}  // namespace ptx
}  // namespace lab_sim
#endif

#include "lab_sim/ptx/asynchronous.h"
