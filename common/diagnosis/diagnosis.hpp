#pragma once

#include <string>
#include <vector>

#include "diagnosis/mismatch.hpp"
#include "protocol/array_layout.hpp"

namespace lab::judge {

/// What the pattern of the mismatches looks like. The words, which hints.md and the mutants name:
///
///     untouched                nothing was written: the kernel never ran, or every thread returned early
///     not_copied_back          nothing has arrived in an output on the host
///     bad_launch               the grid or block is empty or too large
///     missing_guard            stores past the end of an array: no bounds guard
///     off_by_one               everything shifted by one place, only the first place wrong, or a store just outside
///     negative_index           stores in front of an array
///     last_element             all right but the last element, row or column
///     partial_block            all right but the last block, or the right or bottom edge: a grid rounded down
///     first_block_only         only the first block's elements are right
///     stops_short              right up to some element, beyond it nothing: too few threads
///     every_kth                a regular comb of elements is wrong
///     tile_holes               the same elements of every tile are never written
///     missing_barrier          the same elements of every tile are wrong: read before another thread wrote them
///     rows_and_columns_swapped the output is right if rows and columns change places, or only for square sizes
///     echo                     the output is a copy of an input
///     constant_factor          every element is the same multiple of what it should be
///     constant_offset          every element is off by the same amount
///     adds_to_output           the result was added to what the output held before
///     zeros                    every element is zero where few should be
///     nan                      NaN where a number should be
///     rounding                 close, but not close enough
///     nondeterministic         different answers from the same inputs
///     race                     threads or blocks work on one element without order; traced
///     uninitialized_read       something is read that nobody has written; traced
///     shared_bounds            an access past the end of a shared or local array; traced
///     misaligned               a wide access at an address that is no multiple of its size; traced
///     divergent_barrier        only some threads of a block come to a barrier; traced
///     uncoalesced              a warp's global accesses are spread over too many sectors; a gate
///     bank_conflicts           a warp's shared accesses fall into too few banks; a gate
///     redundant_loads          more is loaded from global memory than there is to know; a gate
///     wrong_everywhere         nothing is right, in no pattern known here
///     scattered                some elements are wrong, in no pattern known here
struct diagnosis {
  std::string word;
  std::string text;  ///< one or two sentences: what it looks like, and where to look

  explicit operator bool() const { return !word.empty(); }
  /// Says only that something is wrong, or what many mistakes lead to at small sizes.
  bool weak() const {
    return word == "wrong_everywhere" || word == "scattered" || word == "untouched" || word == "bad_launch";
  }
};

/// All that fits, the best guess first: at one size several mistakes may look alike.
using diagnoses = std::vector<diagnosis>;

diagnoses diagnose(const mismatch& e);

/// What a store outside the array of the given name and shape looks like.
diagnoses diagnose(const stray_store& s, const std::string& name, const array_shape& extents);

/// What an error of the CUDA runtime after a launch means, if it means something here.
diagnoses diagnose_launch(const std::string& error);

// The two halves of diagnose(): by what was written, and by where it is wrong.
diagnoses by_value(const mismatch& e);
diagnoses by_position(const mismatch& e);

}  // namespace lab::judge
