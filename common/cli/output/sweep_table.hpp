#pragma once

#include <string>
#include <vector>

#include "bench/sweep.hpp"

namespace lab::cli {

/// "tile = 16, block_rows = 8", as a message names a combination.
std::string combination_name(const judge::sweep_result& result, const judge::sweep_row& row);

/// One table for each launcher and size, sorted by the values that were set. A star marks the best of a column.
/// Combinations without a right result have the verdict in place of numbers.
std::string sweep_tables(const judge::sweep_result& result, std::size_t width);

/// One line for each combination without a right result: which, and why.
std::string sweep_failures(const judge::sweep_result& result);

}  // namespace lab::cli
