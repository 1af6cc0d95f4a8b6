#pragma once

#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has clusters of one block only
#include <cooperative_groups.h>
#endif

#include "../device/hopper.hpp"
#include "any_address.hpp"
#include "pieces.hpp"

// What a block of the encore has in shared memory, and its part of the product.
namespace ring_kernel {

using any_address::matrix;
using hopper::barrier;
using pieces::depth;
using pieces::piece;
using pieces::schedule;

constexpr int group = 128;  // threads of a warpgroup

#ifdef __CUDA_ARCH_LIST__
constexpr int most_of_a_team = 1;
#else
constexpr int most_of_a_team = 1;
#endif

// The same place in another block of the cluster.
template <class T>
__device__ const T* in_block(const T* here, int rank) {
#if __CUDA_ARCH__ >= 900 && defined(__CUDA_ARCH_LIST__)
  return cooperative_groups::this_cluster().map_shared_rank(here, rank);
#else
  return here;
#endif
}

enum class source { by_tma, by_threads };  // how a's and b's tiles come

// A block's tile of c, the pairs of tiles in its shared memory, and how many blocks a multiprocessor has.
template <int rows_, int cols_, int stages_, int at_a_time_, source from_>
struct form {
  static constexpr int rows = rows_, cols = cols_, stages = stages_, at_a_time = at_a_time_;
  static constexpr source from = from_;
  static constexpr int consumers = rows / 64, sums = cols / 2;
  static constexpr int threads = group * (1 + consumers);
  static constexpr bool trades = sums > 64;  // registers change hands, because the consumers need more
};

// 16 rows of 32 sums on their way from a warp's registers to c. One more column puts a column's sums in different
// banks.
using strip = float[16][33];

template <class Form>
struct ring {
  struct tiles {
    unsigned short a[Form::rows][depth];           // row i of a's tile, 128 bytes
    unsigned short b[Form::cols / 64][depth][64];  // boxes side by side: row k of each has 64 columns, 128 bytes
  };
  tiles stage[Form::stages];
  strip strips[4 * Form::consumers];
  barrier full[Form::stages], empty[Form::stages], done;

  __device__ void init(int blocks) {
    done.init(group * Form::consumers);
    for (int i = 0; i < Form::stages; ++i) {
      full[i].init(Form::from == source::by_tma ? 1 : group);  // those that load arrive, and TMA's bytes
      empty[i].init(Form::consumers * blocks);  // one thread of each consumer arrives, in all blocks that get tiles
    }
  }
};

// A place in the ring, and the parity of the round.
template <int stages>
struct place {
  int stage = 0;
  unsigned round = 0;

  __device__ void advance() {
    if (++stage == stages) stage = 0, round ^= 1;
  }
};

struct problem {
  matrix a, b;  // for source::by_threads
  float* c;
  int n, p;
  bool vectors;  // c's rows are whole vectors
  schedule all;
  int team;       // blocks of a cluster
  bool together;  // they share b's tiles, below each other; else the steps of a tile

  __device__ int sharing() const { return together ? team : 1; }  // blocks that get a tile of b at once

  // Calls compute(piece, row, col) for the pieces of this block.
  template <class Form, class F>
  __device__ void for_each(const F& compute) const {
    const int rank = blockIdx.x % team;
    all.for_each(blockIdx.x / team, [&](piece now) {
      auto [row, col] = all.corner_of(now.tile, Form::rows * sharing(), Form::cols);
      if (together) {
        row += rank * Form::rows;
      } else {
        const int first = now.count * rank / team;
        now.count = now.count * (rank + 1) / team - first, now.first += first;
      }
      compute(now, row, col);
    });
  }
};

}  // namespace ring_kernel
