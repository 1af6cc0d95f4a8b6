#pragma once

#include <algorithm>
#include <cmath>

#include "launch.hpp"
#include "slim_products.hpp"

// Chooses the form of the kernel by the time that each is expected to take.
namespace ring_kernel {

// Microseconds, fitted to the times of 1070 products on an H200, each by all plans that may be its fastest.

// Tiles of 16, 32 and 64: an element of m, of which a block multiplies so many at once; and all else.
struct small_speed {
  int at_once;
  double step, end;
};
constexpr small_speed small_speeds[] = {{128, 0.00676, 2.8}, {64, 0.0135, 3}, {16, 0.036, 3.5}};
// Tiles of so many rows and columns whose steps are fetched at once. All but the tiles; each tile of a multiprocessor;
// a step of m of the first tile, and of each; what a step takes more if rows of a begin anywhere, if those of b do, and
// the same for each tile.
struct slim_speed {
  int rows, cols;
  double end, tile, step, step_of_tile, odd_a, odd_b, odd_b_of_tile;
};
constexpr slim_speed slim_speeds[] = {{16, 64, 3.52, 0.225, 0.00887, 0.00236, 0.0114, 0.0312, 0.00318},
                                      {32, 64, 3.59, 0.264, 0.014, 0.00501, 0.0132, 0.0223, 0.00447},
                                      {64, 128, 4.25, 0.746, 0.023, 0.00901, 0.0273, 0.0407, 0.0106}};
constexpr int most_at_once = 112;          // steps
constexpr double stored = 0.479;           // the end of a small tile of 64 that is not the first of its multiprocessor
constexpr double of_columns = 0.49e-6;     // a product by the kernel for few columns, which starts in
constexpr double by_vectors = 0.3;         // so much less by vectors, with fewer than eight columns
constexpr double start_of_columns = 3.21;  // so long
constexpr double in_pieces = 0.63;         // the rate at which c is stored if its rows are no whole vectors
constexpr double in_sectors = 0.57;        // and by tiles that store whole sectors where rows of c are none
constexpr double by_ring = 0.45;           // and by the ring there, if c is large
constexpr double start = 2.73;             // of any launch: the first tiles come from memory
constexpr double cycle = 0.000585;         // of the tensor cores
constexpr double arrival = 0.000843;       // of 128 bytes in shared memory
constexpr double by_two = 1.01;            // a step whose rows begin anywhere, if two warpgroups load
constexpr double by_four = 0.672;          // and if four do
constexpr double line = 0.000371;          // a row of a box, for one multiprocessor
constexpr double line_of_all = 0.00132;    // the same if all multiprocessors ask L2 for them
constexpr double straddling = 1.74;        // so many times as long for a row in two lines of L2, for all
constexpr double straddling_one = 4.2;     // and for one multiprocessor
constexpr double crowded = 0.0062;         // for each block beyond `calm` that asks for the same lines of a, if in two
constexpr int calm = 40, crowd = 105;      // and no more beyond `crowd`
constexpr double same_line = 0.0006;       // a row of b of which a line of L2 has several, for each row of tiles
constexpr double least = 0.072;            // a step of any tile
constexpr double twice = 1.64;             // the step of a block that loads for itself, if there are two
constexpr double alone = 0.25;             // the start of such blocks, more than of others
constexpr double second = 0.48;            // the second piece of a block whose steps are in two tiles
constexpr double clearing = 1.02;          // the launch that clears tiles
constexpr double added = 4.08e6;           // bytes of sums added in a microsecond
constexpr double widening = 2.07;          // the launch that copies to wider rows
constexpr double copied = 2.95e6;          // bytes read and written by it in a microsecond
constexpr double cached = 40e6;            // bytes of a and b that L2 keeps
constexpr double missed = 0.1;             // the part of the tiles that come from memory, if they are more and shared
constexpr double end_by_threads = 0.95;    // the end of a tile, if threads load
constexpr double storing = 5.29e-5;        // an element of a tile
constexpr double turned_longer = 2.1;      // so many times as long, if turned
constexpr double ending = 0.12;            // the end of a tile, without its stores
constexpr double stored_by_all = 5.58e6;   // bytes of c that all multiprocessors store in a microsecond, together
constexpr double part_sectors = 1.65;      // so many times as long if rows of c are no whole sectors
constexpr double no_vectors = 1.99;        // and if they are no whole vectors
constexpr double filling = 0.44;           // of the ring: more than of any launch
constexpr double meeting = 0.4;            // the start and the end of a cluster
// Products in a microsecond that the power allows for long, whichever the form. Of forms that are expected to take as
// long the first is taken, the solution's: 1.04 times as fast at 4096 x 4096 x 4096, 1.05 at 8192 x 8192 x 8192.
constexpr double sustained = 350e6;

// Bytes of memory in a microsecond.
inline double moved() {
  static const double rate = [] {
    int device = 0, kilohertz = 0, bits = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device);
    cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device);
    const double most = 2e-3 * kilohertz * bits / 8;  // two transfers a cycle
    return most > 0 ? 0.83 * most : 2.79e6;
  }();
  return rate;
}

struct sizes {
  int n, m, p;
  bool operator==(const sizes&) const = default;

  double of_a() const { return double(n) * m; }
  double of_b() const { return double(m) * p; }
  double products() const { return of_a() * p; }
  /// The time to read a and b and to write c.
  double through_memory() const { return through_memory(p % 4 == 0 ? 1 : in_pieces); }
  double through_memory(double rate) const { return start + (2 * (of_a() + of_b()) + 4.0 * n * p / rate) / moved(); }
};

// What the addresses allow.
struct alignment {
  bool tma_a, tma_b;      // TMA takes them as they are
  bool pairs_a, pairs_b;  // their rows begin at multiples of 4 bytes
  bool vectors_c;         // of 16 bytes
  bool operator==(const alignment&) const = default;
};

// The part of a matrix's boxes' rows, which are 128 bytes, that lie in two lines of L2. A row of the matrix begins in a
// line where the greatest power of two that divides the width lets it.
inline double in_two_lines(int width) { return 1 - double(std::min(width & -width, depth)) / depth; }

// The time to widen rows.
inline double copies_of(const plan& how, const sizes& s) {
  return how.widened() ? widening + 4 * (how.wide_a * s.of_a() + how.wide_b * s.of_b()) / copied : 0;
}

// The time of works that are done at the same time: a little more than the longest, if others take nearly as long.
template <class... T>
double together(T... times) {
  return std::sqrt(std::sqrt((... + (times * times * times * times))));
}

// A step of tiles that TMA fetches, if so large a part of the multiprocessors is busy.
inline double step_by_tma(const plan& how, const sizes& s, int tile_rows, double busy) {
  const form_facts& of = forms[how.form];
  const auto lines_with = [&](double twice_as_many) {
    const auto lines_of = [&](double rows, int width, bool wide) {
      return wide ? rows : rows * (1 + (twice_as_many - 1) * in_two_lines(width));
    };
    return lines_of(double(of.fetched) / of.team_cols, s.m, how.wide_a) +
           lines_of(double(of.cols) / of.team_rows, s.p, how.wide_b);
  };
  // Short rows of b are many in a line, for which all blocks ask: 8192 x 8568 x 8 by tiles of 64 took 79 us, not 50.
  const double hot = s.p < depth ? same_line * tile_rows * depth / s.p : 0;
  return together(of.cycles * cycle, (of.fetched + of.cols) * arrival, lines_with(straddling_one) * line,
                  lines_with(straddling) * busy * line_of_all, least, hot);
}

// The end of such a tile, if so many multiprocessors store at the same time.
inline double end_by_tma(const form_facts& of, const sizes& s, double storing_at_once) {
  const double elements = of.rows * of.cols;
  const double own = storing * elements * (of.turned ? turned_longer : 1) * (s.p % 4 == 0 ? 1 : no_vectors);
  const double longer = s.p % 8 == 0 ? 1 : s.p % 4 == 0 ? part_sectors : no_vectors;
  return ending + together(own, 4 * elements * storing_at_once / stored_by_all * longer);
}

// The elements of a and b that come from memory. Blocks with parts of tiles are at different steps. So they share
// nothing that L2 does not keep: 1103 x 15977 x 2345 took twice as long as with whole tiles on an H100. With one row or
// column of tiles, one matrix is read once.
inline double fetched_elements(const form_facts& of, const sizes& s, const schedule& all) {
  const double once = s.of_a() + s.of_b();
  if (all.shared_out() == 0 || all.splits > 0 || 2 * once <= cached || of.team > 1) return once;
  return once + missed * all.shared_out() * all.steps * depth *
                    (of.rows * (all.tile_cols > 1) + of.cols * (all.tile_rows > 1));
}

inline double time_for(const plan& how, const sizes& s) {
  const form_facts& of = forms[how.form];
  const bool by_tma = of.by_tma;
  const auto all = schedule_for(of, s.n, s.m, s.p, how.turns, how.blocks);
  const double multiprocessors = few_tiles::multiprocessors(), blocks = double(how.blocks) * of.team;
  const double busy = std::min(blocks, multiprocessors);
  const double each = std::min<double>(of.at_a_time, std::ceil(blocks / multiprocessors));  // of a multiprocessor
  // The tiles of a last turn may be so few that each has a multiprocessor to itself.
  const double last = double(all.whole()) * of.team - (how.turns - 1) * blocks;
  const bool ends_alone = !by_tma && each > 1 && how.turns > 0 && last <= multiprocessors;
  const double step = by_tma ? step_by_tma(how, s, all.tile_rows, busy / multiprocessors)
                             : (of.at_a_time > 1 ? by_two : by_four) * (each > 1 ? twice : 1);
  const double end = by_tma ? end_by_tma(of, s, busy) : end_by_threads;
  const int shared = all.shared_out();
  const int share = all.splits ? tiles_along(all.steps, all.splits) : all.share + (all.one_more > 0);
  const double of_steps =
      (double(how.turns) * all.steps + share) * step - (ends_alone ? all.steps * step * (1 - 1 / twice) : 0);
  double time = start + filling + (by_tma ? 0 : alone) + (of.team > 1 ? meeting : 0) +
                together(of_steps, 2 * fetched_elements(of, s, all) / moved()) + (how.turns + (shared > 0)) * end;
  // All blocks ask for the same lines of a at the same time: 16 x 2000 x 5000 took 1.4 times as long as expected.
  if (by_tma && !how.wide_a && s.m % depth != 0 && how.turns <= 1)
    time += crowded * (std::clamp(all.tile_cols, calm, crowd) - calm);
  if (shared > 0 && all.splits == 0) time += second;
  const int parts = how.blocks + (all.splits ? 0 : shared);
  if (shared > 0) time += clearing + 4.0 * of.rows * of.cols * of.team * parts / added;
  return std::max({time, s.through_memory(), s.products() / sustained}) + copies_of(how, s);
}

inline void consider(plan& best, int form, const alignment& at, const sizes& s) {
  const form_facts& of = forms[form];
  const bool by_tma = of.by_tma, copies = by_tma && of.team == 1;  // in a cluster, one block asks for few enough lines
  // 12 x 1000 x 6000 by tiles of 128 rows took 1.3 times as long as by those for few rows, not 0.95 times.
  if (by_tma && !of.turned && (s.n <= narrow) != (of.fetched == narrow)) return;
  if (s.n <= of.rows * (of.team_rows - 1) || s.p <= of.cols * (of.team_cols - 1)) return;
  if (of.team > 1 && at_a_time(form) == 0) return;
  if (of.turned && !at.vectors_c) return;
  const double tiles = double(tiles_along(s.n, of.cluster_rows())) * tiles_along(s.p, of.cluster_cols());
  const double all_steps = tiles * tiles_along(s.m, depth);
  const auto try_copies = [&](double blocks, double turns, bool wide_a, bool wide_b) {
    plan one{form, int(blocks), int(turns), wide_a, wide_b};
    if (start + copies_of(one, s) > best.time) return;
    one.time = time_for(one, s);
    if (one.time < 0.999 * best.time) best = one;  // of those that wait for memory alone, the first
  };
  const bool needs_a = by_tma && !at.tma_a, needs_b = by_tma && !at.tma_b;
  const bool may_a = needs_a || (copies && s.m % depth != 0), may_b = needs_b || (copies && s.p % depth != 0);
  const auto compare = [&](double blocks, double turns) {
    for (int wide_a = needs_a; wide_a <= may_a; ++wide_a)
      for (int wide_b = needs_b; wide_b <= may_b; ++wide_b) try_copies(blocks, turns, wide_a, wide_b);
  };
  for (int each = 1; each <= of.at_a_time; ++each) {
    const double blocks = double(each) * at_a_time(form);
    compare(std::min(tiles, blocks), std::ceil(tiles / std::min(tiles, blocks)));
    const double whole = std::floor(tiles / blocks);  // the other tiles are shared
    if (whole * blocks == tiles || all_steps < 2 * tiles || (of.team > 1 && whole > 0)) continue;
    if (whole > 0) {
      compare(blocks, whole);
      continue;
    }
    if (of.team == 1)
      for (const int least : {1, 2, 4, 8}) compare(std::clamp(all_steps / least, 1.0, blocks), 0);
    // As many blocks for each tile: 1.29 times as fast at 512 x 8192 x 1024 on an H200. With few rows all are in one
    // tile, and no other block has use for the same columns: 0.84 times as fast at 1 x 4096 x 4096.
    if (by_tma && 2 * s.n > of.rows) compare(tiles * std::floor(std::min(blocks / tiles, all_steps / tiles / 2)), 0);
  }
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
    const double odd = (at.pairs_a ? 0 : of.odd_a) + (at.pairs_b ? 0 : of.odd_b + of.odd_b_of_tile * tiles);
    const double time = of.end + of.tile * tiles + k * (of.step + of.step_of_tile * tiles + odd);
    const bool sectors = of.cols > slim::most && s.p % slim::parts_of_rows(s.p) != 0;
    const double longer = std::max(time, sectors ? s.through_memory(in_sectors) : s.through_memory());
    const bool beside_ring = sectors && s.m <= slim::most && best.slim_rows == 0 && best.side == 0;
    const double others = beside_ring ? std::max(best.time, s.through_memory(by_ring)) : best.time;
    if (longer < others) best = {}, best.slim_rows = of.rows, best.time = longer;
  }
}

// The kernel for few columns reads b from L1 for each row of a, so all columns cost time: by tiles 1.3 times as fast at
// 700 x 800 x 8 on an H200.
inline void consider_few_columns(plan& best, const sizes& s) {
  if (s.p > few_tiles::thin) return;
  const double each = of_columns * (s.m % 8 == 0 && s.p < few_tiles::thin ? by_vectors : 1);
  const double time = std::max(start_of_columns + each * s.products(), s.through_memory());
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
