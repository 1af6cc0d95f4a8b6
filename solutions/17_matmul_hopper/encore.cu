// arch: sm_90a
#include "../device/few_tiles.hpp"
#include "column_products.hpp"
#include "lab.hpp"
#include "plan.hpp"
#include "row_products.hpp"
#include "slim_products.hpp"
#include "streamed_products.hpp"

// The solution's ring at all sizes: smaller tiles where there are few of them, tiles shared by several blocks, rows
// that TMA cannot fetch, and products so thin that no tile is used well.

using ring_kernel::matrix;

// Whether the ring takes few rows sooner than a warp for each column: 1.37 times as fast at 6 x 2284 x 8548 on an H200,
// but 0.84 times at 1 x 3320 x 7602.
static bool ring_takes_rows(const few_tiles::shape& s, const ring_kernel::alignment& at) {
  return (at.tma_a() && at.tma_b()) || (at.copies() && s.n >= (at.vectors_c ? 2 : 4));
}

// Whether rows of b are few, and a warp for some of the steps has them sooner than a tile.
static bool takes_columns(const few_tiles::shape& s) {
  using few_tiles::thin;
  const bool steps = s.n <= thin ? s.m > 2 * few_tiles::shallow : s.m > 32 && s.m <= 64;
  return steps && s.p > thin && few_tiles::shared_columns(s);
}

// Products of few rows, few columns, or few steps: no tile would be used well.
static bool multiply_thin(const unsigned short* a, const unsigned short* b, float* c, const few_tiles::shape& s,
                          const ring_kernel::alignment& at) {
  using few_tiles::thin;
  // If L2 does not keep b, the ring takes 1.08 times as long as lanes that load it for themselves.
  const bool ring_takes = ring_takes_rows(s, at), cached = double(s.m) * s.p <= 1e7;
  const bool low_tiles = ring_takes && at.copies() && at.vectors_c && cached;
  if (streamed::multiply(a, b, c, s) || (!low_tiles && row_products::multiply(a, b, c, s)) ||
      column_products::multiply(a, b, c, s))
    return true;
  if (!ring_takes && takes_columns(s)) {
    few_tiles::launch_shared_columns(a, b, c, s);
  } else if (slim::takes(s)) {
    slim::multiply(a, b, c, s);
  } else if (s.m <= few_tiles::shallow && slim::beats_threads(s)) {
    slim::multiply_in_tiles(a, b, c, s, slim::most);
  } else if (s.m <= few_tiles::shallow || (s.m <= 2 * few_tiles::shallow && s.n <= thin)) {
    few_tiles::launch_shallow(a, b, c, s, s.p % 4 == 0 && few_tiles::is_aligned(b, 8) && few_tiles::is_aligned(c, 16));
  } else if (s.p <= thin / 2 || (s.p <= thin && s.n <= thin)) {
    few_tiles::launch_few_columns(a, b, c, s);
  } else if (s.n <= 2 && !low_tiles) {
    few_tiles::launch_shared_columns(a, b, c, s);
  } else {
    return false;
  }
  return true;
}

// So few products that the tensor cores' way takes longer to start: at 13 x 13 x 15 it takes 1.45 times as long on an
// H100, at 258 x 110 x 49 1.27 times.
static void multiply_small(const unsigned short* a, const unsigned short* b, float* c, const few_tiles::shape& s,
                           int side) {
  const auto addresses = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
  const bool vectors = s.m % 4 == 0 && s.p % 4 == 0 && addresses % 8 == 0;
  if (side == 16)
    few_tiles::launch<16, 4, 8>(a, b, c, s, 1, vectors);
  else if (side == 32)
    few_tiles::launch<32, 4, 4>(a, b, c, s, 1, vectors);
  else
    few_tiles::launch<64, 4, 1>(a, b, c, s, 1, vectors);
}

static void multiply_by(const ring_kernel::plan& how, const unsigned short* a, const unsigned short* b, float* c,
                        const few_tiles::shape& s) {
  const matrix of_a{a, s.n, s.m}, of_b{b, s.m, s.p};
  if (how.few_columns)
    few_tiles::launch_few_columns(a, b, c, s);
  else if (how.slim_rows)
    slim::multiply_in_tiles(a, b, c, s, how.slim_rows);
  else if (how.side)
    multiply_small(a, b, c, s, how.side);
  else if (how.widened())
    launch_widened(how, of_a, of_b, c);
  else
    launch(how, of_a, of_b, c, s.p);
}

void matmul_bf16(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  using namespace ring_kernel;
  const alignment at{bytes_at_a_time({a, n, m}), bytes_at_a_time({b, m, p}),
                     p % 4 == 0 && few_tiles::is_aligned(c, 16)};
  if (!multiply_thin(a, b, c, {n, m, p}, at)) multiply_by(plan_for({n, m, p}, at), a, b, c, {n, m, p});
}
