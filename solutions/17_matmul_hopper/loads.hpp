#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "../device/hopper.hpp"
#include "../device/product_parts.hpp"
#include "any_address.hpp"
#include "ring.hpp"

// How the tiles of a and b come into the ring: by TMA, or by threads where TMA does not take the rows.
namespace ring_kernel {

// One thread of the block: it keeps the ring filled.
template <class Form>
__device__ void produce(ring<Form>& shared, const CUtensorMap& a, const CUtensorMap& b, const problem& s) {
  // Rows of the tiles of a and b that this block fetches for others, too.
  const place_in_cluster<Form> own;
  const int of_a = own.col * (Form::rows / Form::team_cols), of_b = own.row * (depth / Form::team_rows);
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
        hopper::load_box_for(own.beside(), to.a[of_a], a, row + of_a, i * depth, full);
      for (int j = 0; j < Form::boxes; ++j)
        if constexpr (Form::team_rows == 1)
          hopper::load_box(to.b[j], b, i * depth, col + j * 64, full);
        else
          hopper::load_box_for(own.below(), to.b[j][of_b], b, i * depth + of_b, col + j * 64, full);
      at.advance();
    }
  });
  // The last arrivals of the other blocks come to barriers of this one, which must not have ended.
  if constexpr (Form::team > 1)
    for (int i = 0; i < Form::stages; ++i, at.advance()) shared.empty[at.stage].wait(at.round ^ 1);
}

// Where the `eight`th eight elements of a row of a tile are, as TMA swizzles: eight rows permute their eights.
__device__ inline int swizzled(int row, int eight) { return eight ^ row % 8; }

// Calls copy(place, step, row, col) for every step of this warpgroup. Several warpgroups take turns, so that a step
// does not wait for memory after the step before. `copy` waits for room in the stage.
template <class Form, class F>
__device__ void take_turns(const problem& s, int loader, const F& copy) {
  static_assert(Form::stages >= Form::loaders);
  place<Form::stages> at{.stage = loader};
  int ahead = loader;  // steps until this warpgroup's next one
  s.for_each<Form>([&](const piece& now, int row, int col) {
    for (; ahead < now.count; ahead += Form::loaders) {
      copy(at, now.first + ahead, row, col);
      at.advance(Form::loaders);
    }
    ahead -= now.count;
  });
}

// All threads of a warpgroup copy 64 rows of 64 elements of a, and as many of b. All loads are on their way in
// registers while the threads wait for room in the ring.
template <class Form>
__device__ void load_by_registers(ring<Form>& shared, const problem& s, int loader) {
  static_assert(Form::rows == 64 && Form::cols == 64);
  constexpr int lines = group / 8, batch = 64 / lines;  // rows of eights at once, and how often for 64 rows
  const int thread = threadIdx.x % group, line = thread / 8, eight = thread % 8;
  take_turns<Form>(s, loader, [&](const place<Form::stages>& at, int step, int row, int col) {
    any_address::eight of_a[batch], of_b[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) of_a[j].load(s.a, row + j * lines + line, step * depth + eight * 8);
#pragma unroll
    for (int j = 0; j < batch; ++j) of_b[j].load(s.b, step * depth + j * lines + line, col + eight * 8);
    shared.empty[at.stage].wait(at.round ^ 1);
    auto& to = shared.stage[at.stage];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int r = j * lines + line, eights = swizzled(r, eight) * 8;
      *reinterpret_cast<uint4*>(&to.a[r][eights]) = of_a[j].elements();
      *reinterpret_cast<uint4*>(&to.b[0][r][eights]) = of_b[j].elements();
    }
    hopper::finish_writes();
    shared.full[at.stage].arrive();
  });
}

// Begins the copies of `rows` rows of 64 elements, zeros beyond the matrix; a thread has `bytes` of a row at a time.
template <int rows, int bytes>
__device__ void copy_rows(unsigned short (*to)[depth], const matrix& from, int first_row, int first_col) {
  constexpr int of_row = sizeof *to / bytes, lines = group / of_row;  // copies of a row, and rows at once
  static_assert(rows % lines == 0);
  const int thread = threadIdx.x % group, part = thread % of_row, line = thread / of_row;
  const int eight = part * bytes / 16, within = part * bytes % 16 / 2, col = first_col + part * (bytes / 2);
  const bool inside = col < from.width;
  const unsigned short* const first = from.data + size_t(first_row + line) * from.width + col;
#pragma unroll
  for (int j = 0; j < rows / lines; ++j) {
    const int r = j * lines + line;
    const bool exists = inside && first_row + r < from.height;
    __pipeline_memcpy_async(&to[r][swizzled(r, eight) * 8 + within], first + size_t(j * lines) * from.width, bytes,
                            exists ? 0 : bytes);
  }
}

template <int rows>
__device__ void copy_tile(unsigned short (*to)[depth], const matrix& from, int first_row, int first_col, int bytes) {
  if (bytes == 16)
    copy_rows<rows, 16>(to, from, first_row, first_col);
  else if (bytes == 8)
    copy_rows<rows, 8>(to, from, first_row, first_col);
  else
    copy_rows<rows, 4>(to, from, first_row, first_col);
}

// All threads of a warpgroup have the tiles copied past their registers. So many steps are on their way, for few
// instructions.
template <class Form>
__device__ void load_by_copies(ring<Form>& shared, const problem& s, int loader) {
  take_turns<Form>(s, loader, [&](const place<Form::stages>& at, int step, int row, int col) {
    shared.empty[at.stage].wait(at.round ^ 1);
    auto& to = shared.stage[at.stage];
    copy_tile<Form::rows>(to.a, s.a, row, step * depth, s.bytes_of_a);
#pragma unroll
    for (int j = 0; j < Form::boxes; ++j) copy_tile<depth>(to.b[j], s.b, step * depth, col + j * 64, s.bytes_of_b);
    shared.full[at.stage].arrive_after_copies();
  });
}

}  // namespace ring_kernel
