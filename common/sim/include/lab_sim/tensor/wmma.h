#pragma once

#include "lab_sim/tensor/fragment_shapes.h"

// Fragments: nvcuda::wmma.

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class alignas(8) fragment {
  using stored = details::element_of<T>;
  static constexpr lab_sim::operand which = details::operand_of<Use>::kind;
  static_assert(details::is_shape(m, n, k, stored::kind, which == lab_sim::operand::sums),
                "CUDA has no fragments of this shape and type");

 public:
  using element_type = T;
  using storage_element_type = typename stored::storage;
  enum {
    num_elements = details::different(m, n, k, which) * details::copies(m, n, k, which, stored::kind),
    num_storage_elements = num_elements / stored::packed
  };
  storage_element_type x[num_storage_elements];

  /// The piece of memory that a load or store of this fragment names.
  static constexpr lab_sim::matrix_piece piece(bool by_rows) {
    return {which,
            m,
            n,
            k,
            stored::kind,
            by_rows,
            details::copies(m, n, k, which, stored::kind),
            stored::kind == lab_sim::element::half};
  }
};

template <class Use, int m, int n, int k, class T, class Layout>
LAB_SIM_INLINE void fill_fragment(
    fragment<Use, m, n, k, T, Layout>& f,
    lab_sim::same<typename fragment<Use, m, n, k, T, Layout>::storage_element_type> value) {
  constexpr int packed = details::element_of<T>::packed;
  if constexpr (packed == 8)
    for (auto& x : f.x) x = static_cast<int>((static_cast<unsigned>(value) & 15) * 0x11111111u);
  else if constexpr (packed == 32)
    for (auto& x : f.x) x = value & 1 ? ~0u : 0u;
  else
    for (auto& x : f.x) x = value;
}

template <class Use, int m, int n, int k, class T, class Layout, class From>
LAB_SIM_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const From* from, unsigned stride,
                                     lab_sim::place at = LAB_SIM_HERE) {
  constexpr auto what = fragment<Use, m, n, k, T, Layout>::piece(std::is_same_v<Layout, row_major>);
  lab_sim::load(what, f.x, from, stride, at);
}
template <int m, int n, int k, class T>
LAB_SIM_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const lab_sim::same<T>* from,
                                     unsigned stride, layout_t layout, lab_sim::place at = LAB_SIM_HERE) {
  lab_sim::load(fragment<accumulator, m, n, k, T>::piece(layout == mem_row_major), f.x, from, stride, at);
}
template <int m, int n, int k, class T>
LAB_SIM_INLINE void store_matrix_sync(lab_sim::same<T>* to, const fragment<accumulator, m, n, k, T>& f, unsigned stride,
                                      layout_t layout, lab_sim::place at = LAB_SIM_HERE) {
  lab_sim::store(fragment<accumulator, m, n, k, T>::piece(layout == mem_row_major), f.x, to, stride, at);
}

template <int m, int n, int k, class D, class A, class B, class C, class LayoutA, class LayoutB>
LAB_SIM_INLINE void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                             const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                             const fragment<accumulator, m, n, k, C>& c, bool saturate = false,
                             lab_sim::place at = LAB_SIM_HERE) {
  static_assert(std::is_same_v<A, B>, "both factors of a product have elements of one type");
  constexpr auto kind = [](auto of) { return decltype(of)::kind; };
  const lab_sim::warp_product what = {m,
                                      n,
                                      k,
                                      kind(details::element_of<A>{}),
                                      kind(details::element_of<B>{}),
                                      kind(details::element_of<C>{}),
                                      kind(details::element_of<D>{}),
                                      saturate,
                                      false};
  lab_sim::multiply(what, d.x, a.x, b.x, c.x, at);
}

LAB_SIM_INLINE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                              const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                              const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                              const fragment<accumulator, 8, 8, 128, int>& c,
                              experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                              experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC,
                              lab_sim::place at = LAB_SIM_HERE) {
  using lab_sim::element;
  const lab_sim::warp_product what = {
      8, 8, 128, element::bit, element::bit, element::int32, element::int32, false, op == experimental::bmmaBitOpAND};
  lab_sim::multiply(what, d.x, a.x, b.x, c.x, at);
}

/// Rounds to the 10 bits of fraction of a tf32; halves are rounded away from zero.
inline float __float_to_tf32(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if ((bits & 0x7fffffff) >= 0x7f800000) return value;
  return __builtin_bit_cast(float, (bits + 0x1000) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda
