#pragma once

#include "../device/hopper.hpp"
#include "../device/product_parts.hpp"
#include "loads.hpp"
#include "ring.hpp"
#include "stage_products.hpp"
#include "stores.hpp"

// The solution's kernel for tiles of several sizes, for parts of tiles, and for matrices that TMA cannot fetch.
namespace ring_kernel {

// This warpgroup is done with a stage: all blocks that put tiles into it may overwrite it.
template <class Form>
__device__ void release(ring<Form>& shared, int stage) {
  const int thread = threadIdx.x % group;
  if constexpr (Form::team == 1) {
    if (thread == 0) shared.empty[stage].arrive();
  } else {
    const place_in_cluster<Form> own;
    const unsigned served_by = own.beside() | own.below();
    if (thread < Form::team && (served_by >> thread & 1)) shared.empty[stage].arrive_in_block(thread);
  }
}

// Adds up the products of the next stages. One group of products is on its way while the next begins. Calls begun()
// when all are.
template <class Form, int count, class F>
__device__ void multiply_all(ring<Form>& shared, place<Form::stages>& at, float (&sums)[count], int role, int steps,
                             const F& begun) {
  const operands first{shared.stage[0], Form::first_row(role), Form::first_box(role)};
  int before = -1;  // the stage before this one
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    shared.full[at.stage].wait(at.round);                                    // both tiles have come
    if constexpr (Form::from == source::by_copies) hopper::finish_writes();  // of the threads that this one waited for
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
  begun();
  hopper::wait_for_products<0>();
  release(shared, before);
  hopper::settle(sums);
}

// A warpgroup that multiplies: it computes 64 rows, or columns, of each of its crew's pieces. A crew waits until the
// one before has begun its last products. Without that both would multiply at once, and then both store. And a barrier
// of the ring tells only one round from the next, not from the one after it.
template <class Form>
__device__ void consume(ring<Form>& shared, const problem& s, int member) {
  const int crew = member / Form::consumers, role = member % Form::consumers;
  int ahead = crew;                    // pieces of others before the crew's next one
  unsigned round = crew == 0 ? 1 : 0;  // the first crew does not wait before its first piece
  place<Form::stages> at;
  s.for_each<Form>([&](const piece& now, int row, int col) {
    if constexpr (Form::crews > 1) {
      if (ahead-- > 0) return at.skip(now.count);
      ahead = Form::crews - 1;
      shared.turns[crew].wait(round);
      round ^= 1;
    }
    float sums[Form::sums];
    multiply_all(shared, at, sums, role, now.count, [&] {
      if (Form::crews > 1 && threadIdx.x % 32 == 0) shared.turns[(crew + 1) % Form::crews].arrive();
    });
    few_tiles::wait_for_zeros();
    // Of all that multiply, and of its crew: it has 16 rows, or columns.
    const int own = threadIdx.x / 32 - 4 * Form::loaders, warp = own % (4 * Form::consumers);
    const bool adds = now.count < s.all.steps;
    if constexpr (Form::turned) {
      constexpr int of_part = Form::sums / Form::parts;
      stores::by_kind(adds, [&](auto kind) {
#pragma unroll
        for (int j = 0; j < Form::parts; ++j)
          stores::put_turned<kind>(reinterpret_cast<float(&)[of_part]>(sums[j * of_part]), shared.strips[own], s.to,
                                   row + Form::first_row(role), col + (Form::first_box(role) + j) * 64 + warp % 4 * 16);
      });
    } else {
      stores::put<(Form::crews > 1)>(sums, shared.strips[own], s.to, row + warp * 16, col, adds);
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
    if constexpr (Form::trades) hopper::shrink_to<Form::loader_registers>();
    if constexpr (Form::from == source::by_registers)
      load_by_registers(shared, s, role);
    else if constexpr (Form::from == source::by_copies)
      load_by_copies(shared, s, role);
    else if (threadIdx.x == 0)
      produce(shared, a, b, s);
  } else {
    if constexpr (Form::trades) hopper::grow_to<Form::consumer_registers>();
    consume(shared, s, role - Form::loaders);
  }
}

}  // namespace ring_kernel
