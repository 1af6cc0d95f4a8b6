#pragma once

#include "estimate.hpp"
#include "slim_products.hpp"

// The time that a product is expected to take by kernels other than the ring: of small tiles without tensor cores, of
// tiles whose steps are fetched at once, and for few columns.
namespace ring_kernel {

// Microseconds, fitted as those of the ring.
struct small_speed {
  double end, turn;  // all but the tiles; each tile of a multiprocessor after its first
  double step;       // an element of m, of which a block multiplies `small_at_once`
};
constexpr int small_sides[] = {16, 32, 64};  // rows and columns of a tile
constexpr int small_at_once[] = {128, 64, 16};
constexpr small_speed small_speeds[] = {{2.36, 0.265, 0.00572}, {2.59, 0.25, 0.0144}, {1.2, 0.651, 0.0899}};

struct slim_speed {
  double end, tile;  // all but the tiles; each tile of a multiprocessor
  // A step of the first tile; and so much more if rows of a begin at multiples of only 4 bytes, or anywhere, and if
  // those of b do.
  double step[5];
  double step_of_tile[5];  // the same for each tile
};
constexpr int slim_tiles[][2] = {{16, 64}, {32, 64}, {64, 128}};  // rows and columns
constexpr slim_speed slim_speeds[] = {
    {2.18, 0.24, {0.00831, 0.00124, 0.0135, 0.00179, 0.0165}, {0.00888, 8.87e-5, 0.000223, 8.42e-5, 0.000822}},
    {2.58, 0.253, {0.0123, 0.00164, 0.0137, 0.00185, 0.016}, {0.00784, 9.27e-5, 0.000424, 8.89e-5, 0.00177}},
    {3.35, 0.557, {0.0136, 0.00101, 0.0268, 0.00144, 0.0133}, {0.0199, 9.86e-5, 0.00132, 0.000107, 0.00459}}};
constexpr int most_at_once = 112;  // steps of such tiles

constexpr double start_of_columns = 1.77;    // of the kernel for few columns
constexpr double row_of_columns = 0.000252;  // a row of b
constexpr double of_columns = 1.23e-6;       // a product
constexpr double by_vectors = 0.415;         // so much of it if a is read by vectors

constexpr double start_of_others = 2.19;  // of a kernel that waits for memory alone
// The rate at which c is stored, beside memory's, if its rows are no whole sectors: by tiles that store whole sectors;
// by others, and if L2 does not keep it. At 3274 x 22 x 9054 tiles of 32 rows took 78 us, those of 64 rows 48.
constexpr double in_sectors = 0.876;
constexpr double others_in_pieces = 0.266;
constexpr double in_parts = 0.42;

/// The least time of kernels other than the ring.
inline double without_ring(const sizes& s, double rate) { return start_of_others + s.through_memory(rate); }
inline double without_ring(const sizes& s) { return without_ring(s, stored_at(s, others_in_pieces, in_parts)); }

inline double time_of_small(int side, const sizes& s) {
  const int i = side == small_sides[0] ? 0 : side == small_sides[1] ? 1 : 2;
  const small_speed& of = small_speeds[i];
  const double tiles = double(tiles_along(s.n, side)) * tiles_along(s.p, side);
  const double elements = double(tiles_along(s.m, small_at_once[i])) * small_at_once[i];
  const double turns = std::ceil(tiles / few_tiles::multiprocessors());
  return together(of.end + of.step * elements * turns + of.turn * (turns - 1), without_ring(s));
}

inline double time_of_slim(int rows, const sizes& s, const alignment& at) {
  const int i = rows == slim_tiles[0][0] ? 0 : rows == slim_tiles[1][0] ? 1 : 2, cols = slim_tiles[i][1];
  const slim_speed& of = slim_speeds[i];
  const double tiles = double(tiles_along(s.n, rows)) * tiles_along(s.p, cols) / few_tiles::multiprocessors();
  const auto step = [&](const double(&costs)[5]) {
    const auto more = [&](int bytes, int first) { return bytes == 16 ? 0 : costs[first + (bytes < 4)]; };
    return costs[0] + more(at.bytes_of_a, 1) + more(at.bytes_of_b, 3);
  };
  const double time = of.end + of.tile * tiles + slim::whole(s.m) * (step(of.step) + step(of.step_of_tile) * tiles);
  const bool sectors = rows == slim::most && s.p % slim::parts_of_rows(s.p) != 0;
  return together(time, sectors ? without_ring(s, in_sectors) : without_ring(s));
}

inline double time_of_few_columns(const sizes& s) {
  const double each = of_columns * (s.m % 8 == 0 && s.p < few_tiles::thin ? by_vectors : 1);
  return together(start_of_columns + each * s.products() + row_of_columns * s.m, without_ring(s));
}

inline double time_for(const plan& how, const sizes& s, const alignment& at) {
  if (how.side > 0) return time_of_small(how.side, s);
  if (how.slim_rows > 0) return time_of_slim(how.slim_rows, s, at);
  return how.few_columns ? time_of_few_columns(s) : time_of_ring(how, s, at);
}

// Calls visit(plan) for each kernel other than the ring that may be the fastest. What tiles gain whose steps are
// fetched at once, on an H200: 1.5 at 2000 x 40 x 500, 1.26 at 937 x 96 x 1174. Those of 64 rows: 1.4 at 3001 x 16 x
// 4001. The kernel for few columns reads b from L1 for each row of a: by tiles it is 1.3 times as fast at 700 x 800
// x 8.
template <class Visit>
void for_each_other_plan(const sizes& s, const Visit& visit) {
  for (const int side : small_sides) {
    plan one{};
    one.side = side;
    visit(one);
  }
  for (const auto& [rows, cols] : slim_tiles) {
    if (s.m > most_at_once || (rows < slim::most && s.m <= slim::side)) continue;
    plan one{};
    one.slim_rows = rows;
    visit(one);
  }
  if (s.p > few_tiles::thin) return;
  plan one{};
  one.few_columns = true;
  visit(one);
}

}  // namespace ring_kernel
