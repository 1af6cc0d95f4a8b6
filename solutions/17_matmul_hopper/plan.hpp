#pragma once

#include <algorithm>
#include <cmath>

#include "estimate_others.hpp"

// Chooses the form of the kernel by the time that each is expected to take.
namespace ring_kernel {

constexpr int most_low = 64;       // rows of a that are too few for tiles of more than 80
constexpr int most_very_low = 32;  // and for tiles of 64 that are not turned

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

inline plan best_plan(const sizes& s, const alignment& at) {
  plan best{};
  best.time = INFINITY;
  const auto consider = [&](plan one) {
    if (one.by_ring() && start + copies_of(one, s) > best.time) return;
    one.time = time_for(one, s, at);
    if (one.time < 0.999 * best.time) best = one;  // of those that wait for memory alone, the first
  };
  for (int form = 0; form < forms_count; ++form) for_each_plan(form, at, s, consider);
  for_each_other_plan(s, consider);
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
