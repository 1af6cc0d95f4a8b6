#pragma once

#include "stores.hpp"

// The solution's kernel for tiles of several sizes, for parts of tiles, and for matrices that TMA cannot fetch.
namespace ring_kernel {

// One thread of the block: it keeps the ring filled.
template <class Form>
__device__ void produce(ring<Form>& shared, const CUtensorMap& a, const CUtensorMap& b, const problem& s) {
  place<Form::stages> at;
  const int part = depth / s.sharing(), first = s.together ? blockIdx.x % s.team * part : 0;
  s.for_each<Form>([&](const piece& now, int row, int col) {
    for (int i = now.first; i < now.first + now.count; ++i) {
      shared.empty[at.stage].wait(at.round ^ 1);  // the consumers are done with what the stage held a round ago
      auto& full = shared.full[at.stage];
      auto& to = shared.stage[at.stage];
      full.arrive_expecting(sizeof(to));
      hopper::load_box(to.a, a, row, i * depth, full);
      for (int j = 0; j < Form::cols / 64; ++j) {
        auto* box = to.b[j][first];
        if (s.sharing() == 1)
          hopper::load_box(box, b, i * depth, col + j * 64, full);
        else
          hopper::load_box_for((1 << s.team) - 1, box, b, i * depth + first, col + j * 64, full);
      }
      at.advance();
    }
  });
}

// All threads of a warpgroup copy 64 rows of 64 elements of a, and as many of b. All loads are on their way in
// registers while the threads wait for room in the ring.
template <class Form>
__device__ void copy(ring<Form>& shared, const problem& s) {
  static_assert(Form::rows == 64 && Form::cols == 64);
  constexpr int lines = group / 8, batch = 64 / lines;  // rows of eights at once, and how often for 64 rows
  place<Form::stages> at;
  const int thread = threadIdx.x % group, line = thread / 8, eight = thread % 8;
  s.for_each<Form>([&](const piece& now, int row, int col) {
    for (int i = now.first; i < now.first + now.count; ++i) {
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
      at.advance();
    }
  });
}

// Adds the product of 64 rows of a stage's tile of a and its tile of b, or begins with it.
template <int count, class Tiles>
__device__ void multiply(float (&sums)[count], const Tiles& from, int first_row, bool adds) {
  hopper::begin_products();
#pragma unroll
  for (int k = 0; k < depth; k += 16) {
    // Eight rows of a's tile are 1024 bytes. In b's, eight k are 1024 bytes, and the next 64 columns are the next box.
    const auto a = hopper::operand(&from.a[first_row][k], 16, 1024);
    const auto b = hopper::operand(&from.b[0][k][0], sizeof(from.b[0]), 1024);
    hopper::multiply_by_rows(sums, a, b, adds || k > 0);
  }
  hopper::end_products();
}

// Adds up the products of the next stages. One group of products is on its way while the next begins.
template <class Form, int count>
__device__ void multiply_all(ring<Form>& shared, place<Form::stages>& at, float (&sums)[count], int role, int steps,
                             int sharing) {
  const auto release = [&](int stage) {
    const int thread = threadIdx.x % group;
    if (sharing == 1) {
      if (thread == 0) shared.empty[stage].arrive();
    } else if (thread < sharing) {
      shared.empty[stage].arrive_in_block(thread);
    }
  };
  int before = -1;  // the stage before this one
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    shared.full[at.stage].wait(at.round);  // both tiles have come
    multiply(sums, shared.stage[at.stage], role * 64, i > 0);
    hopper::wait_for_products<1>();  // all but the products just begun
    if (before >= 0) release(before);
    before = at.stage;
    at.advance();
  }
  hopper::wait_for_products<0>();
  release(before);
  hopper::settle(sums);
}

// A warpgroup that multiplies: it computes 64 rows of each of the block's pieces.
template <class Form>
__device__ void consume(ring<Form>& shared, const problem& s, int role) {
  place<Form::stages> at;
  s.for_each<Form>([&](const piece& now, int row, int col) {
    float sums[Form::sums];
    multiply_all(shared, at, sums, role, now.count, s.sharing());
    if (!s.together && s.team > 1) {
      keep<Form>(shared, sums, role);
      return;
    }
    const bool adds = now.count < s.all.steps;
    if (s.vectors)
      store_vectors(sums, s, row + role * 64, col, adds);
    else
      store_rows(sums, shared.strips[role * 4 + threadIdx.x % group / 32], s, row + role * 64, col, adds);
  });
}

// For tiles to which several pieces will be added; a block a tile.
template <class Form>
__global__ void __launch_bounds__(256) clear_kernel(const problem s) {
  const int height = Form::rows * s.sharing();
  const auto [row, col] = s.all.corner_of(s.all.first_added() + blockIdx.x, height, Form::cols);
  for (int i = threadIdx.x; i < height * Form::cols; i += 256) {
    const int y = row + i / Form::cols, x = col + i % Form::cols;
    if (y < s.n && x < s.p) s.c[size_t(y) * s.p + x] = 0;
  }
}

template <class Form>
__global__ void __launch_bounds__(Form::threads, Form::at_a_time)
    matmul_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const problem s) {
  extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<ring<Form>*>((reinterpret_cast<std::uintptr_t>(memory) + 1023) / 1024 * 1024);
  if (threadIdx.x == 0) {
    shared.init(s.sharing());
    hopper::publish_barriers();
  }
  if (s.team > 1)
    hopper::meet_in_cluster();
  else
    __syncthreads();
  const int role = __shfl_sync(~0u, threadIdx.x / group, 0);  // so the compiler knows that a warp has one role
  if (role == 0) {
    if constexpr (Form::trades) hopper::shrink_to<40>();
    if constexpr (Form::from == source::by_threads)
      copy(shared, s);
    else if (threadIdx.x == 0)
      produce(shared, a, b, s);
  } else {
    if constexpr (Form::trades) hopper::grow_to<232>();
    consume(shared, s, role - 1);
  }
  if (s.team == 1) return;
  if (s.together) return hopper::meet_in_cluster();  // nothing more comes from the other blocks
  if constexpr (Form::sums <= 64) {
    hopper::sync_cluster();  // all sums are there
    finish(shared, s);
    hopper::meet_in_cluster();  // all have read them
  }
}

}  // namespace ring_kernel
