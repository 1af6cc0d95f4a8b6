#pragma once

#include <cuda_runtime.h>

// Which parts of which tiles of c a block computes.
namespace pieces {

constexpr int depth = 64;               // of a tile of a or b along their common dimension: a step
constexpr int longest = 16384 / depth;  // steps of a piece: tensor cores cut off what a long sum cannot hold
constexpr int band = 16;                // rows of tiles whose tiles are computed one after the other

struct corner {
  int row, col;  // of a tile's first element in c
};

struct piece {
  int tile, first, count;  // `count` steps of a tile
};

// Shared tiles gain most where c is small: 14 times as fast at 64 x 65536 x 64 on an H100, 1.38 at 5 x 4099 x 3001.
// First the blocks share out evenly the steps of the last tiles, which are too few for all blocks; then each has
// `turns` whole tiles. If the blocks are as many for each tile, and no tile is whole, each gets a part of one tile, and
// neighbours the same part of other tiles: so they need the same rows and columns at the same time. That is of use to
// TMA only. A cluster counts as one block here.
struct schedule {
  int tile_rows, tile_cols, steps, turns, blocks;
  int share, one_more;  // of the shared steps, each block has so many, and the first so many blocks one more
  int splits = 0;       // blocks of each tile, if they are as many

  schedule(int tile_rows_, int tile_cols_, int steps_, int turns_, int blocks_, bool may_split)
      : tile_rows{tile_rows_}, tile_cols{tile_cols_}, steps{steps_}, turns{turns_}, blocks{blocks_} {
    if (may_split && turns == 0 && blocks % tiles() == 0) splits = blocks / tiles();
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
      const int of = block % tiles(), part = block / tiles();
      at = of * steps + steps * part / splits, end = of * steps + steps * (part + 1) / splits;
    }
    for (int tile = block, first = 0; at < end || tile < whole();) {
      const bool shared = at < end;
      const int of = shared ? whole() + at / steps : tile, begin = shared ? at % steps : first;
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

  // The tiles' order: down the 16 tiles of a column, then the next column. So the tiles that are computed at the same
  // time share rows of a and columns of b, and L2 serves them.
  __device__ corner corner_of(int tile, int rows, int cols) const {
    const int first = tile / (band * tile_cols) * band, height = min(band, tile_rows - first);
    const int within = tile - first * tile_cols;
    return {(first + within % height) * rows, within / height * cols};
  }
};

}  // namespace pieces
