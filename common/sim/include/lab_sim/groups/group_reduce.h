#pragma once

#include "lab_sim/groups/group_wide_tiles.h"

namespace cooperative_groups {

#define LAB_SIM_OPERATOR(name, expression)              \
  template <class T = void>                             \
  struct name {                                         \
    T operator()(T a, T b) const { return expression; } \
  };
LAB_SIM_OPERATOR(plus, a + b)
LAB_SIM_OPERATOR(less, b < a ? b : a)
LAB_SIM_OPERATOR(greater, a < b ? b : a)
LAB_SIM_OPERATOR(bit_and, a& b)
LAB_SIM_OPERATOR(bit_or, a | b)
LAB_SIM_OPERATOR(bit_xor, a ^ b)
#undef LAB_SIM_OPERATOR

/// Combines the values of all lanes in ascending order. Every lane gets the result.
template <class Group, class T, class Combine>
T reduce(const Group& group, const T& value, Combine combine) {
  T all = group.shfl(value, 0);
  for (unsigned i = 1; i < group.size(); ++i) all = combine(all, group.shfl(value, i));
  return all;
}

/// The same for a tile of several warps, which can exchange all values at once.
template <unsigned Size, class Parent, class T, class Combine>
T reduce(const thread_block_tile<Size, Parent, true>& tile, const T& value, Combine combine) {
  T values[Size];
  tile.lab_exchange(value, values);
  T all = values[0];
  for (unsigned i = 1; i < Size; ++i) all = combine(all, values[i]);
  return all;
}

/// Combines the group's value with *to; one thread of the group updates it.
template <class Group, class T, class Combine>
void reduce_store_async(const Group& group, T* to, const T& value, Combine combine) {
  const T all = reduce(group, value, combine);
  if (group.thread_rank() == 0) *to = all;
}

}  // namespace cooperative_groups
