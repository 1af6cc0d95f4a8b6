#pragma once

#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

/// "out[row 3][col 17]" for a matrix, "out[17]" for a vector.
std::string place(const std::string& name, const array_shape& shape, std::int64_t index);

/// A small map of an output: '.' right, '#' wrong, '?' never written; one mark may stand for many elements, the worst
/// of which it shows.
struct element_map {
  std::string array{};
  extents elements_per_mark{};
  std::vector<std::string> rows{};  ///< of marks; empty where no output was compared
};
element_map map_of(const mismatch& wrong);

/// The map as text, or one line where all marks are alike.
std::string picture(const mismatch& wrong);

/// The first wrong element with what is there and what should be, and how many are wrong.
std::string first_mismatch(const mismatch& wrong);

/// A store outside the array of the given name and shape.
std::string describe(const stray_store& store, const std::string& name, const array_shape& extents);

}  // namespace lab::judge
