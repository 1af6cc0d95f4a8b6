#pragma once

#include <type_traits>

#include "../device/hopper.hpp"
#include "any_address.hpp"
#include "pieces.hpp"
#include "stores.hpp"

// The ring of tiles in shared memory through which ring_kernel.hpp's warps hand on a and b, in several forms.
namespace ring_kernel {

using any_address::matrix;
using hopper::barrier;
using pieces::depth;
using pieces::piece;
using pieces::schedule;

constexpr int group = 128;  // threads of a warpgroup

// How a's and b's tiles come. by_copies: threads have 4, 8 or 16 bytes at a time copied past their registers.
// by_registers: rows may begin anywhere.
enum class source { by_tma, by_copies, by_registers };

// A cluster's blocks, each with a tile of c, below and beside each other. As one number: nvcc 13 takes no structure as
// an argument of a kernel's template.
enum class cluster_shape : int {};
constexpr cluster_shape cluster(int down, int across) { return cluster_shape{down << 8 | across}; }
constexpr cluster_shape no_cluster = cluster(1, 1);

// turned: c's transpose is computed, from b's and a's. Several warpgroups share the columns of a tile; `halves`: two
// share its rows.
enum class order { given, turned, halves };

// A block's tile of c, the pairs of tiles in its shared memory, how many blocks a multiprocessor has, and the cluster
// to which it belongs. That gets each tile of b for all blocks below each other at once, and each tile of a for all
// beside each other. Of several `crews`, each takes every so many-th piece: one stores its sums while another
// multiplies.
template <int rows_, int cols_, int stages_, int at_a_time_, source from_, cluster_shape together = no_cluster,
          int loaders_ = 1, order is = order::given, int crews_ = 1>
struct form {
  static constexpr int rows = rows_, cols = cols_, stages = stages_, at_a_time = at_a_time_;
  static constexpr int team_rows = int(together) >> 8, team_cols = int(together) & 255;
  static constexpr int team = team_rows * team_cols;  // the cluster's blocks
  static constexpr int cluster_rows = rows * team_rows, cluster_cols = cols * team_cols;
  static constexpr source from = from_;
  // The tensor cores' rows come in 64s, their columns in eights. So c's rows do, if they take b's columns as rows.
  static constexpr bool turned = is != order::given, halves = is == order::halves;
  static constexpr int boxes = (cols + 63) / 64;  // of b's, 64 columns each: the last may go beyond the tile
  static constexpr int loaders = loaders_;        // warpgroups, as the consumers
  static constexpr int crews = crews_;
  static constexpr int consumers = !turned ? rows / 64 : halves || boxes % 2 == 0 ? 2 : 1;  // of a crew
  static constexpr int height = halves ? rows / 2 : rows;            // of a consumer's part of the tile, if turned
  static constexpr int parts = halves ? boxes : boxes / consumers;   // boxes in it, if turned
  static constexpr int sums = (turned ? height * parts : cols) / 2;  // of a thread
  static constexpr int threads = group * (loaders + crews * consumers);
  // Registers change hands, because the consumers need more than their share.
  static constexpr bool trades = (sums > 64 && crews * consumers > 1) || crews * consumers > 3;
  static constexpr int loader_registers = threads > 512 ? 32 : 40;
  // What the loader leaves of the 504 that three warpgroups have for a thread of each, the 512 of four, or the 480 of
  // five.
  static constexpr int consumer_registers = threads > 512 ? 112 : threads > 3 * group ? 152 : 232;
  static_assert(!trades || from == source::by_tma, "the threads that load have registers for TMA only");

  // Where a consumer's part of a tile begins.
  static __device__ constexpr int first_row(int role) { return !turned ? role * 64 : halves ? role * height : 0; }
  static __device__ constexpr int first_box(int role) { return turned && !halves ? role * parts : 0; }
};

template <class Form>
struct ring {
  struct tiles {
    unsigned short a[Form::rows][depth];       // row i of a's tile, 128 bytes
    unsigned short b[Form::boxes][depth][64];  // boxes side by side: row k of each has 64 columns, 128 bytes
  };
  tiles stage[Form::stages];
  std::conditional_t<Form::turned, stores::turned_strip, stores::strip>
      strips[4 * Form::crews * Form::consumers];  // of each warp
  barrier full[Form::stages], empty[Form::stages];
  barrier turns[Form::crews];  // the crew before has begun all its products

  __device__ void init() {
    for (int i = 0; i < Form::stages; ++i) {
      full[i].init(Form::from == source::by_tma ? 1 : group);  // those that load arrive, and TMA's bytes
      // One thread of each consumer arrives, of all blocks below or beside each other.
      empty[i].init(Form::consumers * (Form::team_rows + Form::team_cols - 1));
    }
    if (Form::crews > 1)
      for (auto& turn : turns) turn.init(4 * Form::consumers);  // every warp of the crew before arrives
  }
};

// A place in the ring, and the parity of the round.
template <int stages>
struct place {
  int stage = 0;
  unsigned round = 0;

  __device__ void advance(int steps = 1) {
    stage += steps;
    if (stage >= stages) stage -= stages, round ^= 1;
  }
  __device__ void skip(int steps) {
    const int rounds = (stage + steps) / stages;
    stage += steps - rounds * stages, round ^= rounds & 1;
  }
};

// This block's tile among those of its cluster: they are numbered down each column.
template <class Form>
struct place_in_cluster {
  int row = blockIdx.x % Form::team_rows, col = blockIdx.x % Form::team / Form::team_rows;

  // Bits of the blocks in its row, which share a tile of a, and in its column, which share one of b.
  __device__ unsigned beside() const { return row_of_first << row; }
  __device__ unsigned below() const { return ((1u << Form::team_rows) - 1) << (col * Form::team_rows); }

 private:
  static constexpr unsigned bits_of_row() {
    unsigned bits = 0;
    for (int i = 0; i < Form::team_cols; ++i) bits |= 1u << (i * Form::team_rows);
    return bits;
  }
  static constexpr unsigned row_of_first = bits_of_row();
};

struct problem {
  matrix a, b;                 // for threads that load
  int bytes_of_a, bytes_of_b;  // that they copy at a time
  stores::result to;
  schedule all;
  bool copied;  // the kernel before copies a or b, and may not have ended

  // Calls compute(piece, row, col) for all pieces of this block.
  template <class Form, class F>
  __device__ void for_each(const F& compute) const {
    all.for_each(blockIdx.x / Form::team, [&](const piece& now) {
      const auto [row, col] = all.corner_of(now.tile, Form::cluster_rows, Form::cluster_cols);
      const place_in_cluster<Form> own;
      compute(now, row + own.row * Form::rows, col + own.col * Form::cols);
    });
  }
};

}  // namespace ring_kernel
