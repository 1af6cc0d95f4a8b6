#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The order of the blocks of a grid and of the threads of a block, whole warps at a time, that LAB_SIM_SEED=n chooses.
/// Without a seed the order is ascending.
std::vector<std::uint64_t> block_order(std::uint64_t blocks);
std::vector<unsigned> thread_order(unsigned threads, std::uint64_t block);

}  // namespace lab::sim
