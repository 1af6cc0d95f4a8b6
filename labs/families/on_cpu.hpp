#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "support/parallel.hpp"

// Parts of the fast CPU programs: all threads, blocks that fit the caches, inner loops that the compiler vectorises.
namespace families {

/// Four-byte elements that no one reads soon are written past the caches, which saves reading their lines first.
template <class T>
void stream(T* to, const T* from, std::int64_t count) {
  static_assert(sizeof(T) == 4);
  std::int64_t i = 0;
#if defined(__SSE2__)
  while (i < count && reinterpret_cast<std::uintptr_t>(to + i) % 16 != 0) {
    to[i] = from[i];
    ++i;
  }
  for (; i + 4 <= count; i += 4)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
#endif
  std::copy(from + i, from + count, to + i);
}

/// Makes streamed elements visible to other threads.
inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Calls body(begin, end) for pieces of [0, count) on all threads. A small problem stays on this thread, because
/// starting others takes longer.
template <class Body>
void for_each_piece(std::int64_t count, Body body) {
  constexpr std::int64_t piece = 1 << 18, small = 1 << 21;
  if (count <= small) return body(std::int64_t{0}, count);
  lab::parallel_for((count + piece - 1) / piece,
                    [&](std::int64_t p) { body(p * piece, std::min(count, (p + 1) * piece)); });
}

/// out[i] = value(i). Each block is computed in the first-level cache and then streamed; a result that the caches hold
/// is written plainly.
template <class T, class Value>
void fill_streaming(std::span<T> out, Value value) {
  constexpr std::int64_t block = 1024, in_cache = 1 << 20;
  const auto count = static_cast<std::int64_t>(out.size());
  for_each_piece(count, [&](std::int64_t begin, std::int64_t end) {
    if (count <= in_cache) {
      for (auto i = begin; i < end; ++i) out[i] = value(i);
      return;
    }
    std::array<T, block> buffer;
    for (auto first = begin; first < end; first += block) {
      const auto size = std::min(block, end - first);
      for (std::int64_t i = 0; i < size; ++i) buffer[i] = value(first + i);
      stream(&out[first], buffer.data(), size);
    }
    finish_streaming();
  });
}

}  // namespace families
