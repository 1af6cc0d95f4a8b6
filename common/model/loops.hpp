#pragma once

#include <cstddef>
#include <vector>

#include "model/statements.hpp"

namespace lab::judge::gimple {

bool has_barrier(const basic_block& block);

/// The values that a range of blocks computes.
names computed_in(const std::vector<basic_block>& all, std::size_t begin, std::size_t end);

/// A condition like "n_4(D) > _76" whose values come from before the loop: nvcc tests it once, before the loop.
bool is_constant(std::string_view condition, const names& computed);

/// The blocks of an innermost loop of the kernel without a barrier and with at most one condition, apart from constant
/// ones; 0 for another loop.
std::size_t blocks_of_loop(const std::vector<basic_block>& all, std::size_t header);

/// How often a loop began. g++ copies the test at a loop's end and guesses how often each copy leaves the loop. Where
/// the blocks around the loop give a whole number of iterations, that is the number.
double entered(const std::vector<basic_block>& all, std::size_t header);

}  // namespace lab::judge::gimple
