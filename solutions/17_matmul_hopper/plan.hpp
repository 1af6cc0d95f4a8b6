#pragma once

#include <algorithm>
#include <cmath>

#include "launch.hpp"

// Chooses the form of the kernel by the time that each is expected to take.
namespace ring_kernel {

// Microseconds, measured: a step of a block that is alone on its multiprocessor, and of one among as many as fit; the
// end of a tile. In the order of the forms.
struct speed {
  double alone, among, end;
};
constexpr speed speeds[] = {{0.58, 0.65, 3.9}, {0.47, 0.52, 2.6}, {0.33, 0.42, 1.8},
                            {0.14, 0.51, 1.9}, {0.12, 0.55, 1.3}, {2.04, 1.39, 0.3}};
constexpr double start = 2.9;        // of any launch: the first tiles come from memory
constexpr double moved = 2.7e6;      // bytes in a microsecond
constexpr double clearing = 2.8;     // the launch that clears tiles
constexpr double added = 1.9e6;      // bytes of sums added in a microsecond
constexpr double widening = 4.5;     // the launch that copies to wider rows
constexpr double copied = 2.3e6;     // bytes read and written by it in a microsecond
constexpr double straddling = 1.63;  // a step takes so many times as long if boxes straddle lines of L2

struct sizes {
  int n, m, p;
};

template <class Form>
double time_for(const plan& how, const sizes& s, const speed& of) {
  const schedule all{tiles_along(s.n, Form::rows), tiles_along(s.p, Form::cols), tiles_along(s.m, depth), how.turns,
                     how.blocks};
  const double blocks = double(how.blocks) / few_tiles::multiprocessors();
  const double step = of.alone + (of.among - of.alone) * std::min(1.0, blocks / Form::at_a_time);
  const int shared = all.shared_out(), share = all.share + (all.one_more > 0);
  const bool straddles = Form::from == source::by_tma && !how.widened && (s.m % depth != 0 || s.p % depth != 0);
  double time = start + (double(how.turns) * all.steps + share) * step * (straddles ? straddling : 1) +
                (how.turns + (shared > 0)) * of.end;
  if (shared > 0) time += clearing + 4.0 * Form::rows * Form::cols * (shared + how.blocks) / added;
  const double of_a = double(s.n) * s.m, of_b = double(s.m) * s.p;
  time = std::max(time, start + (2 * (of_a + of_b) + 4.0 * s.n * s.p) / moved);
  return how.widened ? time + widening + 4 * (of_a + of_b) / copied : time;
}

template <class Form>
void consider(plan& best, int form, bool fits, const sizes& s) {
  const double tiles = double(tiles_along(s.n, Form::rows)) * tiles_along(s.p, Form::cols);
  const double steps = tiles * tiles_along(s.m, depth);
  constexpr bool by_tma = Form::from == source::by_tma;
  const auto compare = [&](double blocks, double turns) {
    for (const bool widened : {false, true}) {
      if (by_tma ? !fits && !widened : widened) continue;
      plan one{form, int(blocks), int(turns), widened};
      one.time = time_for<Form>(one, s, speeds[form]);
      if (one.time < best.time) best = one;
    }
  };
  for (int each = 1; each <= Form::at_a_time; ++each) {
    const double blocks = double(each) * few_tiles::multiprocessors();
    compare(std::min(tiles, blocks), std::ceil(tiles / std::min(tiles, blocks)));
    const double whole = std::floor(tiles / blocks);  // the other tiles are shared
    if (whole * blocks == tiles || steps < 2 * tiles) continue;
    if (whole > 0)
      compare(blocks, whole);
    else
      for (const int least : {2, 4, 8}) compare(std::clamp(steps / least, 1.0, blocks), 0);
  }
}

template <std::size_t... i>
plan plan_for(const sizes& s, bool fits, std::index_sequence<i...>) {
  plan best{};
  best.time = INFINITY;
  (consider<std::tuple_element_t<i, forms>>(best, i, fits, s), ...);
  return best;
}

/// `fits`: TMA takes the matrices as they are.
inline plan plan_for(const sizes& s, bool fits) {
  return plan_for(s, fits, std::make_index_sequence<std::tuple_size_v<forms>>{});
}

}  // namespace ring_kernel
