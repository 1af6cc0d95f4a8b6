#pragma once

#include "sim/labcc/loops/inlining.hpp"

namespace lab::sim::loops {

/// Lets the lanes of warps exchange values through an array and a barrier of the block, in all kernels but `left`, line
/// for line:
///   v += __shfl_down_sync(~0u, v, n);   becomes
///   { uint64_t lab_word_0 = LAB_SIM_WORD(v); __syncthreads(); v += LAB_SIM_LANE_DOWN(lab_word_0, (v), (n), 32); }
/// A kernel stays as it is if that cannot be proved to do the same.
inlined exchange_by_barriers(std::string_view source, const std::set<std::size_t>& left);

}  // namespace lab::sim::loops
