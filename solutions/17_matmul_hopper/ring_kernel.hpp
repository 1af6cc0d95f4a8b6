#pragma once

#include <type_traits>

#include "../device/hopper.hpp"
#include "../device/product_parts.hpp"
#include "any_address.hpp"
#include "pieces.hpp"
#include "stage_products.hpp"
#include "stores.hpp"

// The solution's kernel for tiles of several sizes, for parts of tiles, and for matrices that TMA cannot fetch.
namespace ring_kernel {

using any_address::matrix;
using hopper::barrier;
using pieces::depth;
using pieces::piece;
using pieces::schedule;

constexpr int group = 128;  // threads of a warpgroup
constexpr int narrow = 32;  // rows of a that are fetched, at most, where there are no more: room for more stages

enum class source { by_tma, by_threads };  // how a's and b's tiles come
enum class direction { down, across };     // how the tiles of a cluster lie
// turned: c's transpose is computed, from b's and a's. Several warpgroups share the columns of a tile; `halves`: two
// share its rows.
enum class order { given, turned, halves };

// A block's tile of c, the pairs of tiles in its shared memory, how many blocks a multiprocessor has, and how many are
// a cluster. With tiles below each other it gets each tile of b for all of its blocks at once, with tiles beside each
// other each tile of a. Of a with fewer rows than a tile, fewer are `fetched`; tensor cores then also multiply what is
// stored behind them, and these sums are not stored.
template <int rows_, int cols_, int stages_, int at_a_time_, source from_, int team_ = 1, int loaders_ = 1,
          int fetched_ = rows_, direction lies = direction::down, order is = order::given>
struct form {
  static constexpr int rows = rows_, cols = cols_, stages = stages_, at_a_time = at_a_time_, team = team_;
  static constexpr int fetched = fetched_;
  static constexpr bool across = lies == direction::across;
  static constexpr int team_rows = across ? 1 : team, team_cols = across ? team : 1;  // tiles of a cluster
  static constexpr int cluster_rows = rows * team_rows, cluster_cols = cols * team_cols;
  static constexpr source from = from_;
  // The tensor cores' rows come in 64s, their columns in eights. So c's rows do, if they take b's columns as rows.
  static constexpr bool turned = is != order::given, halves = is == order::halves;
  static constexpr int boxes = cols / 64;   // of b's, 64 columns each
  static constexpr int loaders = loaders_;  // warpgroups, as the consumers
  static constexpr int consumers = !turned ? rows / 64 : halves || boxes % 2 == 0 ? 2 : 1;
  static constexpr int height = halves ? rows / 2 : rows;            // of a consumer's part of the tile, if turned
  static constexpr int parts = halves ? boxes : boxes / consumers;   // boxes in it, if turned
  static constexpr int sums = (turned ? height * parts : cols) / 2;  // of a thread
  static constexpr int threads = group * (loaders + consumers);
  // Registers change hands, because the consumers need more than their share.
  static constexpr bool trades = sums > 64 && consumers > 1;

  // Where a consumer's part of a tile begins.
  static __device__ constexpr int first_row(int role) { return !turned ? role * 64 : halves ? role * height : 0; }
  static __device__ constexpr int first_box(int role) { return turned && !halves ? role * parts : 0; }
};

template <class Form>
struct ring {
  struct tiles {
    unsigned short a[Form::fetched][depth];        // row i of a's tile, 128 bytes
    unsigned short b[Form::cols / 64][depth][64];  // boxes side by side: row k of each has 64 columns, 128 bytes
  };
  tiles stage[Form::stages];
  std::conditional_t<Form::turned, stores::turned_strip, stores::strip> strips[4 * Form::consumers];  // of each warp
  barrier full[Form::stages], empty[Form::stages];

  __device__ void init() {
    for (int i = 0; i < Form::stages; ++i) {
      full[i].init(Form::from == source::by_tma ? 1 : group);  // those that load arrive, and TMA's bytes
      empty[i].init(Form::consumers * Form::team);             // one thread of each consumer arrives
    }
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
};

struct problem {
  matrix a, b;  // for source::by_threads
  stores::result to;
  schedule all;
  bool copied;  // the kernel before copies a or b, and may not have ended

  // Calls compute(piece, row, col) for all pieces of this block.
  template <class Form, class F>
  __device__ void for_each(const F& compute) const {
    all.for_each(blockIdx.x / Form::team, [&](const piece& now) {
      const auto [row, col] = all.corner_of(now.tile, Form::cluster_rows, Form::cluster_cols);
      const int rank = blockIdx.x % Form::team;
      compute(now, row + rank % Form::team_rows * Form::rows, col + rank % Form::team_cols * Form::cols);
    });
  }
};

// One thread of the block: it keeps the ring filled.
template <class Form>
__device__ void produce(ring<Form>& shared, const CUtensorMap& a, const CUtensorMap& b, const problem& s) {
  // Rows of the tiles of a or b, which this block fetches for its cluster.
  const int rank = blockIdx.x % Form::team, of_a = rank % Form::team_cols * (Form::fetched / Form::team_cols),
            of_b = rank % Form::team_rows * (depth / Form::team_rows);
  constexpr std::uint16_t everyone = (1 << Form::team) - 1;
  place<Form::stages> at;
  if (s.copied) few_tiles::wait_for_zeros();  // that is, for the kernel before
  s.for_each<Form>([&](const piece& now, int row, int col) {
    for (int i = now.first; i < now.first + now.count; ++i) {
      shared.empty[at.stage].wait(at.round ^ 1);  // the consumers are done with what the stage held a round ago
      auto& full = shared.full[at.stage];
      auto& to = shared.stage[at.stage];
      full.arrive_expecting(sizeof(to));
      if constexpr (Form::team_cols == 1)
        hopper::load_box(to.a, a, row, i * depth, full);
      else
        hopper::load_box_for(everyone, to.a[of_a], a, row + of_a, i * depth, full);
      for (int j = 0; j < Form::cols / 64; ++j)
        if constexpr (Form::team_rows == 1)
          hopper::load_box(to.b[j], b, i * depth, col + j * 64, full);
        else
          hopper::load_box_for(everyone, to.b[j][of_b], b, i * depth + of_b, col + j * 64, full);
      at.advance();
    }
  });
}

// All threads of a warpgroup copy 64 rows of 64 elements of a, and as many of b. All loads are on their way in
// registers while the threads wait for room in the ring. Several warpgroups take turns, so that a step does not wait
// for memory after the step before.
template <class Form>
__device__ void copy(ring<Form>& shared, const problem& s, int loader) {
  static_assert(Form::rows == 64 && Form::cols == 64 && Form::stages >= Form::loaders);
  constexpr int lines = group / 8, batch = 64 / lines;  // rows of eights at once, and how often for 64 rows
  place<Form::stages> at{.stage = loader};
  const int thread = threadIdx.x % group, line = thread / 8, eight = thread % 8;
  int ahead = loader;  // steps until this warpgroup's next one
  s.for_each<Form>([&](const piece& now, int row, int col) {
    for (; ahead < now.count; ahead += Form::loaders) {
      const int i = now.first + ahead;
      any_address::eight of_a[batch], of_b[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) of_a[j].load(s.a, row + j * lines + line, i * depth + eight * 8);
#pragma unroll
      for (int j = 0; j < batch; ++j) of_b[j].load(s.b, i * depth + j * lines + line, col + eight * 8);
      shared.empty[at.stage].wait(at.round ^ 1);
      auto& to = shared.stage[at.stage];
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        const int r = j * lines + line,
                  place = (eight ^ r % 8) * 8;  // as TMA swizzles: eight rows permute their eights
        *reinterpret_cast<uint4*>(&to.a[r][place]) = of_a[j].elements();
        *reinterpret_cast<uint4*>(&to.b[0][r][place]) = of_b[j].elements();
      }
      hopper::finish_reads();  // the tensor cores see what this thread has written
      shared.full[at.stage].arrive();
      at.advance(Form::loaders);
    }
    ahead -= now.count;
  });
}

// This warpgroup is done with a stage: all blocks that put tiles into it may overwrite it.
template <class Form>
__device__ void release(ring<Form>& shared, int stage) {
  const int thread = threadIdx.x % group;
  if constexpr (Form::team == 1) {
    if (thread == 0) shared.empty[stage].arrive();
  } else {
    if (thread < Form::team) shared.empty[stage].arrive_in_block(thread);
  }
}

// Adds up the products of the next stages. One group of products is on its way while the next begins.
template <class Form, int count>
__device__ void multiply_all(ring<Form>& shared, place<Form::stages>& at, float (&sums)[count], int role, int steps) {
  const operands first{shared.stage[0], Form::first_row(role), Form::first_box(role)};
  int before = -1;  // the stage before this one
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    shared.full[at.stage].wait(at.round);  // both tiles have come
    const operands now = first.further(at.stage * sizeof shared.stage[0]);
    if constexpr (Form::turned)
      multiply_turned<Form::parts>(sums, now, i > 0);
    else
      multiply(sums, now, i > 0);
    hopper::wait_for_products<1>();  // all but the products just begun
    if (before >= 0) release(shared, before);
    before = at.stage;
    at.advance();
  }
  hopper::wait_for_products<0>();
  release(shared, before);
  hopper::settle(sums);
}

// A warpgroup that multiplies: it computes 64 rows, or columns, of each of the block's pieces.
template <class Form>
__device__ void consume(ring<Form>& shared, const problem& s, int role) {
  place<Form::stages> at;
  s.for_each<Form>([&](const piece& now, int row, int col) {
    float sums[Form::sums];
    multiply_all(shared, at, sums, role, now.count);
    few_tiles::wait_for_zeros();
    const int warp = threadIdx.x / 32 - 4 * Form::loaders;  // of those that multiply: it has 16 rows, or columns
    const bool adds = now.count < s.all.steps;
    if constexpr (Form::turned) {
      constexpr int of_part = Form::sums / Form::parts;
      stores::by_kind(adds, [&](auto kind) {
#pragma unroll
        for (int j = 0; j < Form::parts; ++j)
          stores::put_turned<kind>(reinterpret_cast<float(&)[of_part]>(sums[j * of_part]), shared.strips[warp], s.to,
                                   row + Form::first_row(role), col + (Form::first_box(role) + j) * 64 + warp % 4 * 16);
      });
    } else {
      stores::put(sums, shared.strips[warp], s.to, row + warp * 16, col, adds);
    }
  });
}

// For tiles of height x width to which several pieces will be added; a block a tile.
static __global__ void __launch_bounds__(256) clear_kernel(const problem s, int height, int width) {
  few_tiles::let_next_begin();
  const auto [row, col] = s.all.corner_of(s.all.first_added() + blockIdx.x, height, width);
  for (int y = row + threadIdx.x / 32; y < min(row + height, s.to.n); y += 8)
    for (int x = col + threadIdx.x % 32; x < min(col + width, s.to.p); x += 32) s.to.c[size_t(y) * s.to.p + x] = 0;
}

template <class Form>
__global__ void __launch_bounds__(Form::threads, Form::at_a_time)
    matmul_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const problem s) {
  extern __shared__ char memory[];
  // From 1024 bytes to 1024. With a sum of a pointer, the compiler knows that this is shared memory.
  auto& shared = *reinterpret_cast<ring<Form>*>(memory + (-hopper::shared_address(memory) & 1023));
  if (threadIdx.x == 0) {
    shared.init();
    hopper::publish_barriers();
  }
  if constexpr (Form::team > 1)
    hopper::meet_in_cluster();  // the other blocks' barriers are ready, too
  else
    __syncthreads();
  const int role = __shfl_sync(~0u, threadIdx.x / group, 0);  // so the compiler knows that a warp has one role
  if (role < Form::loaders) {
    if constexpr (Form::trades) hopper::shrink_to<40>();
    if constexpr (Form::from == source::by_threads)
      copy(shared, s, role);
    else if (threadIdx.x == 0)
      produce(shared, a, b, s);
  } else {
    if constexpr (Form::trades) hopper::grow_to<232>();
    consume(shared, s, role - Form::loaders);
  }
  if constexpr (Form::team > 1) hopper::meet_in_cluster();  // nothing more comes from the other blocks
}

}  // namespace ring_kernel
