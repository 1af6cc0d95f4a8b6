#pragma once

namespace lab {

/// What any implementation must at least move and compute in one run: the roofline of a problem.
struct problem_cost {
  double bytes = 0;       ///< compulsory traffic to and from device memory, each array once
  double operations = 0;  ///< arithmetic operations (a multiply-add counts two)
};

/// How far an output may be from its reference:
/// |actual - expected| <= absolute + relative |expected| + accumulated * epsilon(float) * magnitude,
/// where magnitude is the reference of the inputs' absolute values: sum(|a||b|) for a product.
/// All zero means exact. Lattice inputs are exact in any order, so only `inexact_lattice` loosens them.
struct tolerance {
  double absolute = 0, relative = 0, accumulated = 0;
  bool inexact_lattice = false;
};

}  // namespace lab
