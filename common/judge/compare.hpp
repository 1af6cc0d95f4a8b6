#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/contract.hpp"

namespace lab::judge {

enum class state : std::uint8_t { right, wrong, untouched };

/// One output array after a call, beside what it was before and what it should be.
struct output_view {
  element type;
  std::span<const std::byte> actual, before, expected, magnitude;  ///< magnitude may be empty
};

/// Element by element, what became of an output.
struct comparison {
  std::vector<judge::state> states;  ///< empty if all is right
  std::int64_t total = 0;
  std::int64_t wrong = 0;      ///< untouched ones included
  std::int64_t untouched = 0;  ///< wrong, and still what it was before the call
  std::int64_t first = -1;     ///< index of the first wrong element
};

/// Compares under the rule "unless within, wrong": NaN on either side is never right, an infinity only if expected.
comparison compare(const output_view& o, const tolerance& allow);

/// One element as a number, for patterns and pictures.
double number_at(element type, std::span<const std::byte> array, std::int64_t index);

/// One element as a message shows it.
std::string text_at(element type, std::span<const std::byte> array, std::int64_t index);

}  // namespace lab::judge
