#pragma once

#include <string_view>
#include <vector>

#include "model/statements.hpp"

namespace lab::judge::gimple {

/// Statements between two barriers or loop ends. They can be reordered, so their loads wait together.
struct region {
  double loads_count = 0, shared_count = 0, chain_count = 0;  // how often its blocks with such statements ran
  depths load_depth{}, chain_depth{};
  depths carried_depth{};                   // of multiply-adds since the iteration before, plus one
  std::vector<std::string_view> carried{};  // the values that the next iteration takes
  int deepest_load = 0, deepest_chain = 0;
  int stored_depth = 0;   // of the loaded values that it stored to global memory
  double iterations = 0;  // each time that the loop began
  double entered = 0;     // how often the loop began
  double steps = 0;       // instructions that the unrolled loop executes once for all its copies
  bool loop = false;      // an innermost loop that nvcc unrolls
  bool used = false;      // it computes with values that it loaded
  int depth = 0;          // of the loops around its loads

  // Conditional loads whose values are used before the next one, and the block of the last load.
  double groups = 0;
  int load_block = -1;
  bool used_since_load = false;
  int loads = 0, load_blocks = 0;  // loads of global memory, and the blocks that have some

  int roots = 0;  // reciprocal roots of an iteration

  names computed{};         // values of the loop
  double short_loads = -1;  // of an iteration of a short loop

  /// Turns of the unrolled loop, of which each executes its additions and its branch once, as part of the iterations.
  /// The rest of a short loop is a turn of eight, one of four, and single iterations.
  double turns_share(double waits_of_turn = 1) const;
  /// Parts of the iterations that wait for loads of their own.
  double waits_share() const;

  /// Each load is alone in its block, as that of one element under a condition of its own.
  bool loads_single_elements() const { return load_blocks > 1 && loads == load_blocks; }

  /// Instructions of an iteration that wait for each other because its reciprocal roots share predicates.
  double serial_roots() const;
};

}  // namespace lab::judge::gimple
