#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The legal order that LAB_SIM_SEED=n chooses: of the blocks of a grid, and of the warps of a block. Without a seed
/// both come in rising order.
std::vector<std::uint64_t> block_order(std::uint64_t blocks);
std::vector<unsigned> thread_order(unsigned threads, std::uint64_t block);

}  // namespace lab::sim
