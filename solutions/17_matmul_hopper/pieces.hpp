#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

// Which parts of which tiles of c a block computes.
namespace pieces {

constexpr int depth = 64;               // of a tile of a or b along their common dimension: a step
constexpr int longest = 16384 / depth;  // steps of a piece: tensor cores cut off what a long sum cannot hold

// Divides numbers below 2^31 by a number that the host knows, with one product and a shift. A division takes twenty
// instructions, each of which waits for the one before. Without the five of them, a block's first load begins 90 cycles
// sooner on an H200.
struct divisor {
  int of, shift;
  std::uint64_t factor;  // 2^shift divided by it, rounded up

  explicit divisor(int of_)
      : of{of_}, shift{32 + int(std::bit_width(unsigned(of_ - 1)))}, factor{(std::uint64_t{1} << shift) / of_ + 1} {}

  __host__ __device__ int quotient(int x) const { return int(x * factor >> shift); }
  __host__ __device__ int remainder(int x) const { return x - quotient(x) * of; }
};

struct corner {
  int row, col;  // of a tile's first element in c
};

struct piece {
  int tile, first, count;  // `count` steps of a tile
};

// Shared tiles gain most where c is small: 14 times as fast at 64 x 65536 x 64 on an H100, 1.38 at 5 x 4099 x 3001.
// First the blocks share out evenly the steps of the last tiles, which are too few for all blocks; then each has
// `turns` whole tiles. If the blocks are as many for each tile, and no tile is whole, each gets a part of one tile, and
// neighbours the same part of other tiles: so they need the same rows and columns at the same time. Not where
// threads load through registers. A cluster counts as one block here.
struct schedule {
  int tile_rows, tile_cols, steps, turns, blocks;
  int share, one_more;  // of the shared steps, each block has so many, and the first so many blocks one more
  int splits = 0;       // blocks of each tile, if they are as many
  int shift;            // 2^shift rows of tiles are a band
  divisor by_steps, by_tiles, by_splits, by_band, by_last;  // by_last: by the rows of tiles of the last band

  schedule(int tile_rows_, int tile_cols_, int steps_, int turns_, int blocks_, bool may_split, int shift_)
      : tile_rows{tile_rows_},
        tile_cols{tile_cols_},
        steps{steps_},
        turns{turns_},
        blocks{blocks_},
        splits{may_split && turns == 0 && blocks % tiles() == 0 ? blocks / tiles() : 0},
        shift{shift_},
        by_steps{steps},
        by_tiles{tiles()},
        by_splits{max(splits, 1)},
        by_band{tile_cols << shift},
        by_last{(tile_rows - 1) % (1 << shift) + 1} {
    share = shared_out() * steps / blocks, one_more = shared_out() * steps % blocks;
  }

  __host__ __device__ int tiles() const { return tile_rows * tile_cols; }
  __host__ __device__ int whole() const { return min(tiles(), turns * blocks); }
  __host__ __device__ int shared_out() const { return tiles() - whole(); }
  /// The first tile to which several pieces are added.
  __host__ __device__ int first_added() const { return steps > longest ? 0 : whole(); }

  // Calls compute(piece) for all pieces of a block.
  template <class F>
  __device__ void for_each(int block, const F& compute) const {
    int at = share * block + min(block, one_more), end = at + share + (block < one_more);
    if (splits > 0) {
      const int of = by_tiles.remainder(block) * steps, part = by_tiles.quotient(block);
      at = of + by_splits.quotient(steps * part), end = of + by_splits.quotient(steps * (part + 1));
    }
    for (int tile = block, first = 0; at < end || tile < whole();) {
      const bool shared = at < end;
      const int of = shared ? whole() + by_steps.quotient(at) : tile, begin = shared ? by_steps.remainder(at) : first;
      const int count = min(shared ? min(steps - begin, end - at) : steps - begin, longest);
      compute(piece{of, begin, count});
      if (shared) {
        at += count;
      } else {
        first += count;
        if (first == steps) tile += blocks, first = 0;
      }
    }
  }

  // The tiles' order: down the tiles of a column in a band, then the next column. So the tiles that are computed at the
  // same time share rows of a and columns of b, and L2 serves them.
  __device__ corner corner_of(int tile, int rows, int cols) const {
    const int first = by_band.quotient(tile) << shift, within = by_band.remainder(tile);
    const bool whole_band = tile_rows - first >= 1 << shift;
    const int col = whole_band ? within >> shift : by_last.quotient(within);
    return {(first + within - (whole_band ? col << shift : col * by_last.of)) * rows, col * cols};
  }
};

}  // namespace pieces
