#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/launcher_spec.hpp"

namespace lab::judge {

enum class element_state : std::uint8_t { right, wrong, untouched };

/// One output array after a call, beside what it was before and what it should be.
struct output_view {
  element type;
  std::span<const std::byte> actual, before, expected, magnitude;  ///< magnitude may be empty
};

/// Element by element, what became of an output.
struct comparison {
  std::vector<element_state> states;  ///< empty if all is right
  std::int64_t total = 0;
  std::int64_t wrong = 0;      ///< untouched ones included
  std::int64_t untouched = 0;  ///< wrong, and still what it was before the call
  std::int64_t first = -1;     ///< index of the first wrong element
};

/// One output that is not right, with all that may explain it.
struct mismatch {
  std::string name;  ///< of the output parameter
  array_shape shape;
  output_view view;
  const comparison& result;
  const arguments& given;
  const std::vector<std::string>& parameters;
  bool on_host = false;  ///< the launcher was given host memory
};

/// Whether the launcher gets values in this output, so that an element may hold its old value because a thread stored
/// it again.
bool has_values_before(const mismatch& wrong);

/// Extents of an output seen as a matrix: a vector is one row, further axes are folded into the rows.
struct extents {
  std::int64_t rows = 1, cols = 1;
};
extents as_matrix(const array_shape& shape);

/// One element as a number, for patterns and pictures.
double number_at(element type, std::span<const std::byte> array, std::int64_t index);

/// One element as a message shows it.
std::string text_at(element type, std::span<const std::byte> array, std::int64_t index);

}  // namespace lab::judge
