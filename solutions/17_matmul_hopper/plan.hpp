#pragma once

#include <algorithm>
#include <cmath>

#include "launch.hpp"
#include "slim_products.hpp"

// Chooses the form of the kernel by the time that each is expected to take.
namespace ring_kernel {

// Microseconds, fitted to the times of some sixty products on an H100, those of clearing, widening and L2 to eighty on
// an H200.

// Tiles of 16, 32 and 64: an element of m, of which a block multiplies so many at once; and all else.
struct small_speed {
  int at_once;
  double step, end;
};
constexpr small_speed small_speeds[] = {{128, 0.00676, 2.65}, {64, 0.0135, 3}, {16, 0.046, 2.3}};
// Tiles of so many rows whose steps are fetched at once: all but the steps, a step of m for the first tile, and for
// each tile of a multiprocessor.
struct slim_speed {
  int rows;
  double end, step, step_of_tile;
};
constexpr slim_speed slim_speeds[] = {{16, 2.82, 0.00894, 0.00685}, {32, 2.9, 0.015, 0.0094}};
constexpr int most_at_once = 112;         // steps
constexpr double one_by_one = 0.03;       // a step more if rows begin anywhere
constexpr double start = 2.5;             // of any launch: the first tiles come from memory
constexpr double line = 0.000436;         // a row of a box, for one multiprocessor
constexpr double line_of_all = 0.0013;    // the same if all multiprocessors ask L2 for them
constexpr double in_step = 0.92;          // so many times as long if all blocks have one piece, and begin together
constexpr double scattered = 1.5;         // so many times as long if each block is at another step of a shared tile
constexpr double straddling = 2.15;       // so many times as long for a row in two lines of L2, for all
constexpr double straddling_one = 3.85;   // and for one multiprocessor
constexpr double crowded = 0.045;         // for each block beyond `calm` that asks for the same lines of a, if in two
constexpr int calm = 40, crowd = 105;     // and no more beyond `crowd`
constexpr double latency = 1.36;          // a step takes at least this time divided by the stages
constexpr double twice = 1.4;             // the step of a block that loads for itself, if there are two
constexpr double alone = 2.3;             // the start of such blocks, more than of others
constexpr double moved_by_one = 0.057e6;  // bytes of memory in a microsecond, for one multiprocessor
constexpr double clearing = 0.7;          // the launch that clears tiles
constexpr double added = 2.59e6;          // bytes of sums added in a microsecond
constexpr double widening = 6.6;          // the launch that copies to wider rows
constexpr double copied = 2.44e6;         // bytes read and written by it in a microsecond
constexpr double cached = 40e6;           // bytes of a and b that L2 keeps
constexpr double missed = 0.55;           // the part of the tiles that come from memory, if they are more and shared
constexpr double meeting = 0.37;          // the start and the end of a cluster

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
};

inline double time_for(const plan& how, const sizes& s) {
  const form_facts& of = forms[how.form];
  const bool by_tma = of.by_tma;
  const auto all = schedule_for(of, s.n, s.m, s.p, how.turns, how.blocks);
  const double multiprocessors = few_tiles::multiprocessors(), blocks = double(how.blocks) * of.team;
  const double each = std::min<double>(of.at_a_time, std::ceil(blocks / multiprocessors));  // of a multiprocessor
  const auto lines_with = [&](double twice_as_many) {
    const auto lines_of = [&](double rows, int width) {
      return by_tma && !how.widened && width % depth != 0 ? rows * twice_as_many : rows;
    };
    return each * (lines_of(double(of.fetched) / of.team_cols, s.m) + lines_of(double(of.cols) / of.team_rows, s.p));
  };
  const double busy = std::min(1.0, blocks / multiprocessors);
  // The tiles of a last turn may be so few that each has a multiprocessor to itself.
  const double last = double(all.whole()) * of.team - (how.turns - 1) * blocks;
  const bool ends_alone = !by_tma && each > 1 && how.turns > 0 && last <= multiprocessors;
  const bool one_piece = all.splits > 0 || (how.turns == 1 && all.shared_out() == 0);
  const double of_all = line_of_all * (one_piece ? in_step : how.turns == 0 ? scattered : 1);
  const double step = by_tma ? std::max({of.step * each, lines_with(straddling_one) * line,
                                         lines_with(straddling) * busy * of_all, latency / of.stages})
                             : of.step * (each > 1 ? twice : 1);
  const int shared = all.shared_out();
  const int share = all.splits ? tiles_along(all.steps, all.splits) : all.share + (all.one_more > 0);
  const double of_a = double(s.n) * s.m, of_b = double(s.m) * s.p;
  const double of_steps =
      (double(how.turns) * all.steps + share) * step - (ends_alone ? all.steps * of.step * (twice - 1) : 0);
  double time =
      start + (by_tma ? 0 : alone) + (of.team > 1 ? meeting : 0) +
      std::max(of_steps, 2 * (of_a + of_b) / std::min(moved(), moved_by_one * std::min(blocks, multiprocessors))) +
      (how.turns + (shared > 0)) * of.end;
  // All blocks ask for the same lines of a at the same time: 16 x 2000 x 5000 took 1.4 times as long as expected.
  if (by_tma && !how.widened && s.m % depth != 0 && how.turns <= 1)
    time += crowded * (std::clamp(all.tile_cols, calm, crowd) - calm);
  const int parts = how.blocks + (all.splits ? 0 : shared);
  if (shared > 0) time += clearing + 4.0 * of.rows * of.cols * of.team * parts / added;
  time = std::max(time, start + (2 * (of_a + of_b) + 4.0 * s.n * s.p) / moved());
  // Blocks with parts of tiles are at different steps. So they share nothing that L2 does not keep: 1103 x 15977 x 2345
  // took twice as long as with whole tiles on an H100.
  if (shared > 0 && all.splits == 0 && 2 * (of_a + of_b) > cached && of.team == 1)
    time = std::max(time, start + missed * 2 * shared * all.steps * depth * (of.rows + of.cols) / moved());
  return how.widened ? time + widening + 4 * (of_a + of_b) / copied : time;
}

inline void consider(plan& best, int form, bool fits, const sizes& s) {
  const form_facts& of = forms[form];
  const bool by_tma = of.by_tma;
  if (by_tma && of.rows == 64 && (s.n <= narrow) != (of.fetched == narrow)) return;
  if (s.n <= of.rows * (of.team_rows - 1) || s.p <= of.cols * (of.team_cols - 1)) return;
  if (of.team > 1 && at_a_time(form) == 0) return;
  // Rows that begin at halves of lines cost L2 little: by a cluster across, 350 x 4000 x 4000 takes 1.04 times as long.
  if (of.across() && s.m % (depth / 2) == 0 && s.p % (depth / 2) == 0) return;
  const double tiles = double(tiles_along(s.n, of.cluster_rows())) * tiles_along(s.p, of.cluster_cols());
  const double all_steps = tiles * tiles_along(s.m, depth);
  const auto compare = [&](double blocks, double turns) {
    for (const bool widened : {false, true}) {
      if (by_tma ? !fits && !widened : widened) continue;
      if (of.team > 1 && widened) continue;  // there one block asks for few enough lines
      plan one{form, int(blocks), int(turns), widened};
      one.time = time_for(one, s);
      if (one.time < 0.999 * best.time) best = one;  // of those that wait for memory alone, the first
    }
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
    const double time = of.end + of.step * elements * std::ceil(tiles / few_tiles::multiprocessors());
    if (time < best.time) best = {}, best.side = side, best.time = time;
  }
}

// Tiles of tensor cores whose steps are fetched at once: 1.5 times as fast at 2000 x 40 x 500 on an H200, 1.26 at 937 x
// 96 x 1174. Their times are estimated within 6% on average.
inline void consider_slim(plan& best, const sizes& s, bool pairs) {
  if (s.m <= slim::side || s.m > most_at_once) return;
  const double k = slim::whole(s.m), others = pairs ? 0 : one_by_one * k;
  for (const auto& of : slim_speeds) {
    const double tiles = double(tiles_along(s.n, of.rows)) * tiles_along(s.p, 64) / few_tiles::multiprocessors();
    const double bytes = 2 * (double(s.n) * s.m + double(s.m) * s.p) + 4.0 * s.n * s.p;
    const double time = std::max(of.end + of.step * k + of.step_of_tile * k * tiles + others, start + bytes / moved());
    if (time < best.time) best = {}, best.slim_rows = of.rows, best.time = time;
  }
}

/// `fits`: TMA takes the matrices as they are. `pairs`: their rows begin at multiples of 4 bytes.
inline plan plan_for(const sizes& s, bool fits, bool pairs) {
  plan best{};
  best.time = INFINITY;
  for (int form = 0; form < forms_count; ++form) consider(best, form, fits, s);
  consider_small(best, s);
  consider_slim(best, s, pairs);
  return best;
}

}  // namespace ring_kernel
