#pragma once

#include "lab/launcher_spec.hpp"

// Outputs of lazy kernels. Each function takes the right answer and the inputs, and returns the answer with other
// outputs.
namespace lab::grade {

arguments zeros(const arguments& right, const arguments& given);

/// The mean of each output.
arguments constant(const arguments& right);

/// The first input's bytes, repeated.
arguments echo(const arguments& right, const arguments& given);

/// The last element is not written.
arguments all_but_the_last(const arguments& right, const arguments& given);

/// Rounded to eight significant bits.
arguments rounded_to_bfloat16(const arguments& right, const arguments& given);

/// Every floating-point output is one unit in the last place too large or too small, in turn.
arguments one_unit_off(const arguments& right);

bool is_input(const argument& tested);
bool is_output(const argument& tested);

}  // namespace lab::grade
