#pragma once

#include <iterator>

#include "lab_sim/cccl/thrust_policy.h"

namespace thrust {
namespace system {
namespace cuda {
namespace detail {

// Sums halves, as a GPU does. One running sum of many floats would be less exact than the device's.
template <class T, class Iterator, class Size, class Operation>
T reduce_in_halves(Iterator first, Size n, Operation& operation) {
  constexpr Size at_once = 128;
  if (n > at_once) {
    const Size half = n / 2;
    T left = reduce_in_halves<T>(first, half, operation);
    return operation(left, reduce_in_halves<T>(first + half, n - half, operation));
  }
  T sum = *first;
  for (Size i = 1; i < n; ++i) sum = operation(sum, first[i]);
  return sum;
}

template <bool waits, class Iterator, class T, class Operation>
T reduce(policy<waits>&, Iterator first, Iterator last, T init, Operation operation) {
  const auto n = last - first;
  return n == 0 ? init : static_cast<T>(operation(init, reduce_in_halves<T>(first, n, operation)));
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
}  // namespace thrust
