#pragma once

#include <algorithm>
#include <cmath>

#include "estimate.hpp"
#include "slim_products.hpp"

// Chooses the form of the kernel by the time that each is expected to take.
namespace ring_kernel {

// Microseconds, fitted to the times of 1070 products on an H200, each by all plans that may be its fastest.

// Tiles of 16, 32 and 64: an element of m, of which a block multiplies so many at once; and all else.
struct small_speed {
  int at_once;
  double step, end;
};
constexpr small_speed small_speeds[] = {{128, 0.00676, 3.8}, {64, 0.0135, 4}, {16, 0.036, 4.5}};
// Tiles of so many rows and columns whose steps are fetched at once. All but the tiles; each tile of a multiprocessor;
// a step of m of the first tile, and of each; what a step takes more if rows of a begin anywhere, if those of b do, and
// the same for each tile.
struct slim_speed {
  int rows, cols;
  double end, tile, step, step_of_tile, odd_a, odd_b, odd_b_of_tile;
};
constexpr slim_speed slim_speeds[] = {{16, 64, 4.52, 0.225, 0.00887, 0.00236, 0.0114, 0.0312, 0.00318},
                                      {32, 64, 4.59, 0.264, 0.014, 0.00501, 0.0132, 0.0223, 0.00447},
                                      {64, 128, 5.25, 0.806, 0.023, 0.00973, 0.0273, 0.0407, 0.0114}};
constexpr int most_at_once = 112;  // steps of such tiles
constexpr int most_low = 64;       // rows of a that are too few for tiles of more than 80
constexpr int most_very_low = 32;  // and for tiles of 64 that are not turned
constexpr double stored = 0.479;   // the end of a small tile of 64 that is not the first of its multiprocessor
// The kernel for few columns: its start, each row of b, each product, and the part of this by vectors.
constexpr double start_of_columns = 4.21, row_of_columns = 3.57e-4, of_columns = 0.49e-6, by_vectors = 0.3;
// Where rows of c are no whole sectors, the rate at which it is stored by tiles that store whole sectors, and by others
// and the ring if L2 does not keep it. At 3274 x 22 x 9054 tiles of 32 rows took 78 us, those of 64 rows 48.
constexpr double in_sectors = 0.57, in_parts = 0.42, by_ring = 0.45;
constexpr double start_of_others = 2.93, others_in_pieces = 0.63;  // of kernels other than the ring

/// The least time of kernels other than the ring.
inline double without_ring(const sizes& s, double rate) { return start_of_others + s.through_memory(rate); }
inline double without_ring(const sizes& s) { return without_ring(s, stored_at(s, others_in_pieces, in_parts)); }

// Whether the form can compute the product, and is not known to be slower than another.
inline bool suits(int form, const alignment& at, const sizes& s) {
  const form_facts& of = forms[form];
  // By tiles of 128 rows 34 x 4960 x 7472 took 1.29 times as long as by 64, not 0.99 times; and 12 x 1000 x 6000 1.3
  // times as long as by those for few rows, not 0.95 times.
  if (s.n <= most_low && of.rows > 80) return false;
  if (of.from == source::by_tma && !of.turned && s.n <= most_very_low) return false;
  // Where TMA takes one of the two, copies do without wider rows. By registers only where they must.
  if (of.from == source::by_copies && (!at.copies() || (at.tma_a() && at.tma_b()))) return false;
  if (of.from == source::by_copies && of.turned && s.n > 2 * of.rows) return false;
  if (of.from == source::by_registers && at.copies()) return false;
  if (s.n <= of.rows * (of.team_rows - 1) || s.p <= of.cols * (of.team_cols - 1)) return false;
  if (of.team > 1 && at_a_time(form) == 0) return false;
  return at.vectors_c || (!of.turned && of.cols % 32 == 0);
}

// Calls visit(plan) for each way in which blocks may share the work of a form.
template <class Visit>
void for_each_plan(int form, const alignment& at, const sizes& s, const Visit& visit) {
  if (!suits(form, at, s)) return;
  const form_facts& of = forms[form];
  const bool by_tma = of.from == source::by_tma;
  const double tiles = double(tiles_along(s.n, of.cluster_rows())) * tiles_along(s.p, of.cluster_cols());
  const double all_steps = tiles * tiles_along(s.m, depth);
  if (of.crews > 1 && tiles <= at_a_time(form)) return;  // each block has one tile
  const auto visit_plan = [&](double blocks, double turns) {
    visit(plan{form, int(blocks), int(turns), by_tma && !at.tma_a(), by_tma && !at.tma_b()});
  };
  for (int each = 1; each <= of.at_a_time; ++each) {
    const double blocks = double(each) * at_a_time(form);
    visit_plan(std::min(tiles, blocks), std::ceil(tiles / std::min(tiles, blocks)));
    const double whole = std::floor(tiles / blocks);  // the other tiles are shared
    if (whole * blocks == tiles || all_steps < 2 * tiles || (of.team > 1 && whole > 0)) continue;
    if (whole > 0) {
      visit_plan(blocks, whole);
      continue;
    }
    if (of.team == 1)
      for (const int least : {1, 2, 4, 8}) visit_plan(std::clamp(all_steps / least, 1.0, blocks), 0);
    // As many blocks for each tile: 1.29 times as fast at 512 x 8192 x 1024 on an H200. With few rows all are in one
    // tile, and no other block has use for the same columns: 0.84 times as fast at 1 x 4096 x 4096.
    if (of.from != source::by_registers && 2 * s.n > of.rows)
      visit_plan(tiles * std::floor(std::min(blocks / tiles, all_steps / tiles / 2)), 0);
  }
}

inline void consider(plan& best, int form, const alignment& at, const sizes& s) {
  for_each_plan(form, at, s, [&](plan one) {
    if (start + copies_of(one, s) > best.time) return;
    one.time = time_for(one, s, at);
    if (one.time < 0.999 * best.time) best = one;  // of those that wait for memory alone, the first
  });
}

// Tiles of 16, 32 or 64 rows and columns, without tensor cores.
inline void consider_small(plan& best, const sizes& s) {
  for (int i = 0; i < 3; ++i) {
    const int side = 16 << i;
    const double tiles = double(tiles_along(s.n, side)) * tiles_along(s.p, side);
    const auto& of = small_speeds[i];
    const double elements = double(tiles_along(s.m, of.at_once)) * of.at_once;
    const double turns = std::ceil(tiles / few_tiles::multiprocessors());
    const double time = of.end + of.step * elements * turns + (side == 64 ? stored * (turns - 1) : 0);
    if (time < best.time) best = {}, best.side = side, best.time = time;
  }
}

// Tiles of tensor cores whose steps are fetched at once: 1.5 times as fast at 2000 x 40 x 500 on an H200, 1.26 at 937 x
// 96 x 1174. Those of 64 rows: 1.4 at 3001 x 16 x 4001, 1.3 at 700 x 30 x 20000. Their times are estimated within 5% on
// average. If rows of c are no whole sectors, the ring stores many in pieces for longer than it is expected to
// take: 1.2 times as long as these tiles at 8272 x 35 x 8999 and at 15000 x 40 x 15004.
inline void consider_slim(plan& best, const sizes& s, const alignment& at) {
  if (s.m > most_at_once) return;
  const double k = slim::whole(s.m);
  for (const auto& of : slim_speeds) {
    if (of.rows < slim::most && s.m <= slim::side) continue;
    const double tiles = double(tiles_along(s.n, of.rows)) * tiles_along(s.p, of.cols) / few_tiles::multiprocessors();
    const double odd =
        (at.bytes_of_a >= 4 ? 0 : of.odd_a) + (at.bytes_of_b >= 4 ? 0 : of.odd_b + of.odd_b_of_tile * tiles);
    const double time = of.end + of.tile * tiles + k * (of.step + of.step_of_tile * tiles + odd);
    const bool sectors = of.cols > slim::most && s.p % slim::parts_of_rows(s.p) != 0;
    const double longer = std::max(time, sectors ? without_ring(s, in_sectors) : without_ring(s));
    const bool beside_ring = sectors && s.m <= slim::most && best.slim_rows == 0 && best.side == 0;
    const double others = beside_ring ? std::max(best.time, without_ring(s, by_ring)) : best.time;
    if (longer < others) best = {}, best.slim_rows = of.rows, best.time = longer;
  }
}

// The kernel for few columns reads b from L1 for each row of a, so all columns cost time: by tiles 1.3 times as fast at
// 700 x 800 x 8 on an H200.
inline void consider_few_columns(plan& best, const sizes& s) {
  if (s.p > few_tiles::thin) return;
  const double each = of_columns * (s.m % 8 == 0 && s.p < few_tiles::thin ? by_vectors : 1);
  const double time = std::max(start_of_columns + each * s.products() + row_of_columns * s.m, without_ring(s));
  if (time < best.time) best = {}, best.few_columns = true, best.time = time;
}

inline plan best_plan(const sizes& s, const alignment& at) {
  plan best{};
  best.time = INFINITY;
  for (int form = 0; form < forms_count; ++form) consider(best, form, at, s);
  consider_small(best, s);
  consider_slim(best, s, at);
  consider_few_columns(best, s);
  return best;
}

/// The last plan is kept: products of equal sizes often follow each other, and there are some 200 to choose among.
inline plan plan_for(const sizes& s, const alignment& at) {
  thread_local struct {
    sizes s{};
    alignment at{};
    plan best;
  } last;
  if (s != last.s || at != last.at) last = {s, at, best_plan(s, at)};
  return last.best;
}

}  // namespace ring_kernel
