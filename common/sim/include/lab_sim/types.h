#pragma once

// CUDA's index and vector types, aligned as on the device.

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#ifdef LAB_SIM_TRACE
// The device moves a vector in one instruction, so a traced copy is one access of the whole width.
namespace lab_sim {
template <int bytes>
struct word {
  typedef unsigned type __attribute__((vector_size(bytes), may_alias));
};
template <>
struct word<2> {
  typedef unsigned short type __attribute__((may_alias));
};
template <>
struct word<4> {
  typedef unsigned type __attribute__((may_alias));
};
template <>
struct word<8> {
  typedef unsigned long long type __attribute__((may_alias));
};
template <class T>
inline __attribute__((always_inline)) void move(T* to, const T* from) {
  using unit = typename word<(sizeof(T) < 16 ? sizeof(T) : 16)>::type;
  for (unsigned i = 0; i < sizeof(T) / sizeof(unit); ++i)
    reinterpret_cast<unit*>(to)[i] = reinterpret_cast<const unit*>(from)[i];
}
}  // namespace lab_sim
#define LAB_SIM_MOVES(type)                                \
  type() = default;                                        \
  type(const type& other) { lab_sim::move(this, &other); } \
  type& operator=(const type& other) {                     \
    lab_sim::move(this, &other);                           \
    return *this;                                          \
  }
#define LAB_SIM_BUILD(...) __VA_ARGS__
#else
#define LAB_SIM_MOVES(type)
#define LAB_SIM_BUILD(...)
#endif

#define LAB_SIM_VECTORS(T, name, two, four)                                         \
  struct name##1 {                                                                  \
    T x;                                                                            \
  };                                                                                \
  struct alignas(two) name##2 {                                                     \
    T x, y;                                                                         \
    LAB_SIM_BUILD(constexpr name##2(T x, T y) : x(x), y(y){})                       \
    LAB_SIM_MOVES(name##2)                                                          \
  };                                                                                \
  struct alignas(four) name##4 {                                                    \
    T x, y, z, w;                                                                   \
    LAB_SIM_BUILD(constexpr name##4(T x, T y, T z, T w) : x(x), y(y), z(z), w(w){}) \
    LAB_SIM_MOVES(name##4)                                                          \
  };                                                                                \
  constexpr name##1 make_##name##1(T x) { return {x}; }                             \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                     \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

#define LAB_SIM_TRIPLE(T, name) \
  struct name##3 {              \
    T x, y, z;                  \
  };                            \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }

LAB_SIM_VECTORS(signed char, char, 2, 4)
LAB_SIM_VECTORS(unsigned char, uchar, 2, 4)
LAB_SIM_VECTORS(short, short, 4, 8)
LAB_SIM_VECTORS(unsigned short, ushort, 4, 8)
LAB_SIM_VECTORS(int, int, 8, 16)
LAB_SIM_VECTORS(unsigned, uint, 8, 16)
LAB_SIM_VECTORS(float, float, 8, 16)
LAB_SIM_VECTORS(double, double, 16, 16)
LAB_SIM_VECTORS(long, long, 16, 16)
LAB_SIM_VECTORS(unsigned long, ulong, 16, 16)
LAB_SIM_VECTORS(long long, longlong, 16, 16)
LAB_SIM_VECTORS(unsigned long long, ulonglong, 16, 16)
LAB_SIM_TRIPLE(signed char, char)
LAB_SIM_TRIPLE(unsigned char, uchar)
LAB_SIM_TRIPLE(short, short)
LAB_SIM_TRIPLE(unsigned short, ushort)
LAB_SIM_TRIPLE(int, int)
LAB_SIM_TRIPLE(float, float)
LAB_SIM_TRIPLE(double, double)
LAB_SIM_TRIPLE(long, long)
LAB_SIM_TRIPLE(unsigned long, ulong)
LAB_SIM_TRIPLE(long long, longlong)
LAB_SIM_TRIPLE(unsigned long long, ulonglong)
// Of CUDA 13, which names the alignment of the wide vectors.
#define LAB_SIM_ALIGNED_VECTOR(T, name, bytes)                                                 \
  struct alignas(bytes) name##4_##bytes##a {                                                   \
    T x, y, z, w;                                                                              \
    LAB_SIM_BUILD(constexpr name##4_##bytes##a(T x, T y, T z, T w) : x(x), y(y), z(z), w(w){}) \
    LAB_SIM_MOVES(name##4_##bytes##a)                                                          \
  };                                                                                           \
  constexpr name##4_##bytes##a make_##name##4_##bytes##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define LAB_SIM_ALIGNED_VECTORS(T, name) \
  LAB_SIM_ALIGNED_VECTOR(T, name, 16)    \
  LAB_SIM_ALIGNED_VECTOR(T, name, 32)
LAB_SIM_ALIGNED_VECTORS(double, double)
LAB_SIM_ALIGNED_VECTORS(long, long)
LAB_SIM_ALIGNED_VECTORS(unsigned long, ulong)
LAB_SIM_ALIGNED_VECTORS(long long, longlong)
LAB_SIM_ALIGNED_VECTORS(unsigned long long, ulonglong)
#undef LAB_SIM_ALIGNED_VECTORS
#undef LAB_SIM_ALIGNED_VECTOR
#undef LAB_SIM_VECTORS
#undef LAB_SIM_TRIPLE
#undef LAB_SIM_MOVES
#undef LAB_SIM_BUILD

constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
