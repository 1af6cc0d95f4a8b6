#pragma once

#include <string>

#include "judge/diagnosis.hpp"

namespace lab::judge {

/// "out[row 3][col 17]" for a matrix, "out[17]" for a vector.
std::string place(const std::string& name, const shape& s, std::int64_t index);

/// A small map of an output: '.' right, '#' wrong, '?' never written; one mark may stand for many elements, the worst
/// of which it shows.
std::string picture(const evidence& e);

/// The first wrong element with what is there and what should be, and how many are wrong.
std::string first_mismatch(const evidence& e);

/// A store outside the array of the given name and shape.
std::string describe(const stray_store& s, const std::string& name, const shape& extents);

/// The last lines that a kernel printed, without control characters, indented; empty if it printed nothing.
std::string printed(std::string_view output);

}  // namespace lab::judge
