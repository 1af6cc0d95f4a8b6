#pragma once

#include "lab_sim/groups/group_reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Combine>
T inclusive_scan(const Group& group, const T& value, Combine combine) {
  T sum = value;
  const unsigned me = group.thread_rank();
  for (unsigned step = 1; step < group.size(); step *= 2) {
    const T left = group.shfl_up(sum, step);
    if (me >= step) sum = combine(left, sum);
  }
  return sum;
}
template <class Group, class T>
T inclusive_scan(const Group& group, const T& value) {
  return inclusive_scan(group, value, plus<T>{});
}

/// The first thread gets T{}.
template <class Group, class T, class Combine>
T exclusive_scan(const Group& group, const T& value, Combine combine) {
  const T left = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T{} : left;
}
template <class Group, class T>
T exclusive_scan(const Group& group, const T& value) {
  return exclusive_scan(group, value, plus<T>{});
}

}  // namespace cooperative_groups
