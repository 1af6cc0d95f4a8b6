#include "diagnosis/explanation.hpp"

namespace lab::judge {

// Words that are hazards as well (race, misaligned ...) are explained in hazard_text.cpp, those of gates in gates.cpp.
std::vector<explanation> diagnosis_explanations() {
  constexpr std::string_view pattern = "pattern of wrong elements", stray = "store outside an array";
  return {
      {"untouched", pattern,
       "Not one element of the output was written: all of them still hold what was there before the call.",
       "The kernel is never launched, its grid has no blocks (n / block is 0 for a small n), or its store is still to "
       "be written.",
       "Print from one thread of the kernel. If nothing appears, look at the launch, else at the condition in front of "
       "the store."},
      {"not_copied_back", pattern,
       "The launcher works on host memory, and nothing has arrived there: the result is still on the device, or was "
       "never "
       "computed.",
       "cudaMemcpy is missing after the launch, goes in the wrong direction, or an earlier call failed and nobody "
       "looked.",
       "Check the error code of every call, then the direction of the last copy: device to host."},
      {"bad_launch", pattern,
       "The grid or the block of a launch is impossible, so the kernel never ran. A block has at most 1024 threads, "
       "and "
       "nothing may be zero.",
       "The two numbers in <<< >>> are swapped, a block of 64 x 64 threads, or a grid of n / block blocks at n < "
       "block.",
       "Work out grid and block for the size in the message."},
      {"missing_guard", stray,
       "Threads without an element of their own store all the same, past the end of the array. The grid is made of "
       "whole blocks, so there are more threads than elements.",
       "The guard is missing, or compares with the wrong extent.",
       "Put if (i < n), in 2D if (row < rows && col < cols), around the store."},
      {"off_by_one", pattern,
       "Everything is one place beside where it belongs, or just the first or the one-past-last place is wrong.",
       "<= instead of <, a loop that begins at 1, or + 1 in an index.",
       "Compute the index of the first and of the last element by hand."},
      {"negative_index", stray, "A store lies in front of the array: an index is negative for some thread.",
       "A neighbour's index, i - 1 or i - radius, without a check at the left edge.",
       "Check index >= 0 as well as index < n."},
      {"last_element", pattern, "All is right but the last element, row or column.",
       "A guard or a loop stops one too early: < n - 1 instead of < n.", "Look at every comparison with an extent."},
      {"partial_block", pattern, "All is right but the end, which no whole block covers.",
       "The grid is rounded down (n / block), or the guard is too strict.",
       "Round the grid up: (n + block - 1) / block."},
      {"first_block_only", pattern, "Only one block's worth of elements is right.",
       "The index has no blockIdx in it, so all blocks do the first block's work; or only one block is launched.",
       "The index is blockIdx.x * blockDim.x + threadIdx.x."},
      {"stops_short", pattern,
       "All is right up to some element, and nothing is written beyond it: there are fewer threads than elements.",
       "A fixed grid, and no loop that lets a thread take a second element.",
       "Launch enough blocks, or let each thread go on by gridDim.x * blockDim.x."},
      {"every_kth", pattern, "Right and wrong elements alternate regularly, like the teeth of a comb.",
       "Some threads of each block, or some elements of each thread, are left out: a stride or a loop step is wrong.",
       "Take the period that the message names: which extent of block, tile or loop is it?"},
      {"tile_holes", pattern, "The same elements of every tile are never written.",
       "Each thread has several elements of a tile, and handles only some of them.",
       "Write down, for one thread, which elements of the tile its loop visits."},
      {"missing_barrier", pattern,
       "The same elements of every tile are wrong, or wrong now and then: threads read shared memory before others "
       "have "
       "written it, or after they have overwritten it.",
       "A __syncthreads() is missing between the store into a tile and the loads from it; in a loop a second one, "
       "before "
       "the tile is filled anew.",
       "Put a __syncthreads() after the tile is filled, and at the end of each round."},
      {"rows_and_columns_swapped", pattern,
       "The output would be right if its rows and columns changed places; often only square sizes are right.",
       "row * rows + col where row * cols + col is meant, or x and y exchanged in one of two places.",
       "For each array say how long one row is; that is what its row index is multiplied by."},
      {"echo", pattern, "The output is a copy of an input.",
       "The element is stored where it came from, without the step that the lab is about.",
       "Compare the index of the load with that of the store."},
      {"constant_factor", pattern, "Every element is the same multiple of what it should be.",
       "Work is done twice, or a factor is missing or applied twice.",
       "Look at the factor in the message: which extent or constant is it?"},
      {"constant_offset", pattern, "Every element is off by the same amount.",
       "A sum starts at something else than zero, or a term is added once too often.",
       "Look at what the sum starts from."},
      {"adds_to_output", pattern,
       "The result was added to what the output held before the call. New memory holds anything.",
       "out[i] += ... where out[i] = ... is meant, or a missing cudaMemset before atomics.",
       "Sum up in a variable that starts at 0 and store it once; before atomics, clear the array."},
      {"zeros", pattern, "Every element is zero where few should be.",
       "The variable that is stored never receives the sum, or the tile was never filled.",
       "Follow one value from its load to its store."},
      {"nan", pattern, "The output holds NaN, which is no number.",
       "A division by zero, an overflow to infinity, or memory that nobody had written.",
       "Look for the first division or exp(), and for reads of memory that nobody filled."},
      {"rounding", pattern, "The result is close, but not close enough.",
       "A sum in too low a precision, an integer division, or a small term left out.",
       "Look at the type of every intermediate value."},
      {"wrong_everywhere", pattern, "No element is right, in no pattern that is known here.",
       "One formula is wrong for every thread.", "Compute one element by hand, for thread 0 of block 0."},
      {"scattered", pattern, "Some elements are wrong, in no pattern that is known here.",
       "Two threads write one element, or one reads what another has yet to write.",
       "Run the check again: if other elements are wrong then, threads race."},
  };
}

}  // namespace lab::judge
