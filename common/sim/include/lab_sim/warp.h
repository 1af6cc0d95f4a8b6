#pragma once

// Warp shuffles, votes, matches and reductions. All wait for the lanes of the mask in meet().

namespace lab_sim {

template <class T>
uint64_t to_word(T value) {
  static_assert(sizeof(T) <= 8, "a value that lanes exchange has at most 64 bits");
  uint64_t word = 0;
  memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
T from_word(uint64_t word) {
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/// The value of lane `source` in the segment of `width` lanes, or the caller's own value if `inside` is false.
template <class T>
T shuffle(unsigned mask, T value, int source, int width, bool inside) {
  const uint64_t* words = meet(mask, to_word(value));
  const int first = static_cast<int>(lane()) / width * width;
  return inside ? from_word<T>(words[first + (source & (width - 1))]) : value;
}

inline int lane_of(int width) { return static_cast<int>(lane()) & (width - 1); }

template <class T, class Combine>
T reduce(unsigned mask, T value, Combine combine) {
  const uint64_t* words = meet(mask, to_word(value));
  unsigned i = static_cast<unsigned>(__builtin_ctz(mask));
  T all = from_word<T>(words[i]);
  while (++i < 32)
    if (mask >> i & 1) all = combine(all, from_word<T>(words[i]));
  return all;
}

}  // namespace lab_sim

namespace lab_sim {

/// A statement whose lanes read in step and write in step, as the lanes of a warp did before Volta.
struct in_step {
  template <class T>
  T operator()(T value) const {
    gather("", 1);
    return value;
  }
  ~in_step() noexcept(false) { gather("", 2); }
};

}  // namespace lab_sim

inline void __syncwarp(unsigned mask = ~0u) { lab_sim::meet(mask, 0); }
inline unsigned __activemask(const char* function = __builtin_FUNCTION(), int line = __builtin_LINE()) {
  return lab_sim::gather(function, line);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return lab_sim::shuffle(mask, value, source, width, true);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int from = lab_sim::lane_of(width) - static_cast<int>(delta);
  return lab_sim::shuffle(mask, value, from, width, from >= 0);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int from = lab_sim::lane_of(width) + static_cast<int>(delta);
  return lab_sim::shuffle(mask, value, from, width, from < width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32) {
  const int from = lab_sim::lane_of(width) ^ with;
  return lab_sim::shuffle(mask, value, from, width, from < width);
}

LAB_SIM_INSTRUCTION unsigned __ballot_sync(unsigned mask, int predicate) {
  const uint64_t* votes = lab_sim::meet(mask, predicate != 0);
  unsigned ballot = 0;
  for (unsigned i = 0; i < 32; ++i)
    if (mask >> i & 1 && votes[i]) ballot |= 1u << i;
  return ballot;
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
inline int __uni_sync(unsigned mask, int predicate) {
  const unsigned ballot = __ballot_sync(mask, predicate);
  return ballot == 0 || ballot == mask;
}

template <class T>
LAB_SIM_INSTRUCTION unsigned __match_any_sync(unsigned mask, T value) {
  const uint64_t mine = lab_sim::to_word(value), *words = lab_sim::meet(mask, mine);
  unsigned same = 0;
  for (unsigned i = 0; i < 32; ++i)
    if (mask >> i & 1 && words[i] == mine) same |= 1u << i;
  return same;
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  *predicate = __match_any_sync(mask, value) == mask;
  return *predicate ? mask : 0;
}

#define LAB_SIM_REDUCE(name, T, expression)                                        \
  LAB_SIM_INSTRUCTION T __reduce_##name##_sync(unsigned mask, T value) {           \
    return lab_sim::reduce(mask, value, [](T a, T b) -> T { return expression; }); \
  }
LAB_SIM_REDUCE(add, unsigned, a + b)
LAB_SIM_REDUCE(add, int, static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
LAB_SIM_REDUCE(min, unsigned, b < a ? b : a)
LAB_SIM_REDUCE(max, unsigned, b > a ? b : a)
LAB_SIM_REDUCE(min, int, b < a ? b : a)
LAB_SIM_REDUCE(max, int, b > a ? b : a)
LAB_SIM_REDUCE(and, unsigned, a& b)
LAB_SIM_REDUCE(or, unsigned, a | b)
LAB_SIM_REDUCE(xor, unsigned, a ^ b)
#undef LAB_SIM_REDUCE
