#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "middle_tiles.hpp"

// The host's part of middle_tiles.hpp.
namespace middle_tiles {

// Which tile, how the tiles are computed, and the time that they need, as few_tiles counts it.
struct plan {
  int form = 0;
  work how{0, 1};
  double time = INFINITY;
};

// Beside the first, the others gain where few warps suffice or rows would be left empty, on an H200: 1.19 times as fast
// at 900 x 93 x 1126, 1.28 at 1100 x 100 x 900. The fourth gains 1.17 at 100001 x 60 x 60. Two have 80 and 96 columns:
// 1.43 at 8000 x 300 x 145, 1.25 at 6000 x 2000 x 145; 1.17 at 10000 x 500 x 96. The last two have 32 and 64 columns,
// and 32 sums a thread, so twice the warps: 1.13 at 12000 x 200 x 132; 1.19 at 1500 x 300 x 300.
using forms = std::tuple<tile<2, 2>, tile<1, 2>, tile<1, 1>, tile<2, 1>, tile<4, 1, 10>, tile<2, 3, 8, 8>,
                         tile<2, 1, 4>, tile<2, 2, 4, 4, 20>>;

// Microseconds that one k takes a multiprocessor, and more for each of its warps; the begin and the end of a tile take
// as long as `more` steps of k. Microseconds for each element that blocks add to a shared tile. Fitted to 37 products
// on an H200, the fifth and the sixth to 36 others, the last two to 47, whose times are estimated within 2% on average
// for the first form, and 5% for the others; without the time of a launch.
struct pace {
  double least, warp, more, added_element;
};
constexpr pace vector_paces[] = {{0.0214, 0.0092, 9.4, 8.3e-7}, {0.0255, 0.0099, 10, 16e-7},
                                 {0.0358, 0.0103, 15, 15e-7},   {0.0354, 0.0093, 20, 17e-7},
                                 {0.0239, 0.0117, 26, 13e-7},   {0.0486, 0.0063, 21, 16e-7},
                                 {0.0189, 0.0057, 18, 10.1e-7}, {0.0175, 0.0053, 14, 9.2e-7}};
constexpr pace element_paces[] = {{0.0209, 0.0101, 16, 6.2e-7}, {0.0256, 0.0115, 26, 6.9e-7},
                                  {0.0323, 0.0117, 34, 10e-7},  {0.0341, 0.0107, 24, 9.2e-7},
                                  {0.035, 0.0128, 48, 0.4e-7},  {0.0469, 0.0078, 34, 7.1e-7},
                                  {0.0219, 0.0063, 28, 1.2e-7}, {0.0220, 0.0056, 20, 3.3e-7}};
constexpr double adding = 2.2, stored = 4.7e6;  // microseconds if blocks share a tile; bytes of c in a microsecond

template <class Tile>
void consider(plan& best, int form, const shape& s, const pace& of) {
  if (double(Tile::rows) * s.m > 1e9) return;  // the distances of its rows are ints
  const double tiles = double(few_tiles::divided(s.n, Tile::rows)) * few_tiles::divided(s.p, Tile::cols);
  const double outputs = double(s.n) * s.p, room = double(Tile::at_a_time) * few_tiles::multiprocessors();
  const double full = std::floor(tiles / room);  // waves
  const auto compare = [&](double waves, int splits) {
    const double shared = tiles - waves * room;
    const double warps = std::ceil(shared * splits / few_tiles::multiprocessors()) * Tile::warps;
    const double others = std::ceil(warps / (Tile::at_a_time * Tile::warps)) * of.least + of.warp * warps;
    const double sharing = splits > 1 ? adding + of.added_element * outputs * shared / tiles * splits : 0;
    const double time = waves * (of.least + of.warp * Tile::at_a_time * Tile::warps) * (s.m + of.more) +
                        others * (double(s.m) / splits + of.more) + sharing + 4 * outputs / stored;
    if (time < best.time) best = {form, {int(waves * room), splits}, time};
  };
  compare(0, 1);
  for (int splits = 2; splits * (tiles - full * room) <= room && s.m >= 3 * depth * splits; ++splits)
    compare(full, splits);
}

template <std::size_t... i>
plan plan_for(const shape& s, const pace* of, std::index_sequence<i...>) {
  plan best;
  (consider<std::tuple_element_t<i, forms>>(best, i, s, of[i]), ...);
  return best;
}

constexpr auto all_forms = std::make_index_sequence<std::tuple_size_v<forms>>{};

/// `vectors`: rows of b and c are whole vectors.
inline plan plan_for(const shape& s, bool vectors) {
  return plan_for(s, vectors ? vector_paces : element_paces, all_forms);
}

template <class Tile>
void launch(const float* a, const float* b, float* c, const shape& s, bool vectors, const work& how) {
  const int tile_cols = few_tiles::divided(s.p, Tile::cols), tiles = few_tiles::divided(s.n, Tile::rows) * tile_cols;
  const size_t first = size_t(how.whole / tile_cols) * Tile::rows * s.p;  // all rows of the shared tiles
  few_tiles::launch_after_zeros(c + first, how.splits > 1 ? size_t(s.n) * s.p - first : 0,
                                vectors ? matmul_kernel<Tile, true> : matmul_kernel<Tile, false>,
                                how.whole + (tiles - how.whole) * how.splits, Tile::threads, 0, a, b, c, s, how, 1.f);
}

template <std::size_t... i>
void launch(const float* a, const float* b, float* c, const shape& s, bool vectors, const plan& best,
            std::index_sequence<i...>) {
  ((best.form == i ? launch<std::tuple_element_t<i, forms>>(a, b, c, s, vectors, best.how) : void()), ...);
}
inline void launch(const float* a, const float* b, float* c, const shape& s, bool vectors, const plan& best) {
  launch(a, b, c, s, vectors, best, all_forms);
}

}  // namespace middle_tiles
