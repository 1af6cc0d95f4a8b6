#include "model/region.hpp"

#include <algorithm>
#include <cmath>

namespace lab::judge::gimple {

namespace {

// nvcc unrolls an innermost loop so often, and moves its loads to the front. It unrolls a short one once more, as its
// machine code for sm_90 shows; there it keeps as many loads in flight as it has registers for.
constexpr double unrolled = 4, unrolled_short = 16, in_flight = 16;

// A warp has seven predicates. The tests of the ends of the loops keep two of them, and each value of a thread keeps
// the test of its bounds. rsqrtf needs one until its result is scaled: it tests its argument, scales it, asks the
// special-function unit and scales the result. With its sum of squares these are ten instructions in turn.
constexpr int predicates = 7 - 2;
constexpr double instructions_of_root = 10;

}  // namespace

double region::serial_roots() const {
  const double free = std::max(1, predicates - roots), turns = std::ceil(roots / free);
  return turns > 1 ? std::max(0., turns * instructions_of_root - deepest_chain) : 0;
}

double region::turns_share(double waits_of_turn) const {
  const auto whole = [](double n, double of) { return std::floor(n / of); };
  double turns = 0, rest = iterations;
  if (short_loads >= 0) {
    const double most = whole(rest, unrolled_short), half = unrolled_short / 2;
    turns += waits_of_turn * most, rest -= most * unrolled_short;
    turns += whole(rest, half), rest -= whole(rest, half) * half;
  }
  turns += whole(rest, unrolled), rest -= whole(rest, unrolled) * unrolled;
  return (turns + rest) / iterations;
}

double region::waits_share() const {
  return turns_share(std::max(1., std::ceil(unrolled_short * short_loads / in_flight)));
}

}  // namespace lab::judge::gimple
