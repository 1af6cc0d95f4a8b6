#pragma once

namespace lab {

/// The least traffic and arithmetic of one call, for any implementation; the roofline uses it.
struct problem_cost {
  double bytes = 0;       ///< compulsory traffic with device memory: each array once
  double operations = 0;  ///< arithmetic operations (a multiply-add counts two)
};

/// The largest accepted difference between an output and its reference:
/// |actual - expected| <= absolute + relative |expected| + accumulated * epsilon(float) * magnitude,
/// where magnitude is the reference of the inputs' absolute values: sum(|a||b|) for a product.
/// Zeros mean equality. Lattice inputs have exact sums in any order; a tolerance applies to them only with
/// `inexact_lattice`.
struct tolerance {
  double absolute = 0, relative = 0, accumulated = 0;
  bool inexact_lattice = false;
};

}  // namespace lab
