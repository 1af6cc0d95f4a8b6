#pragma once

#include "lab_sim/device.h"
#include "lab_sim/tensor/matrix.h"

// Which lane holds which element of an operand in which place of its registers. The PTX ISA documents it for products
// of 16 x 8 and of 8 x 8 elements. Products of other shapes consist of these.

namespace lab::sim {

using lab_sim::element;
using lab_sim::operand;

constexpr int bits_of(element type) {
  switch (type) {
    case element::half:
    case element::bfloat16:
      return 16;
    case element::int8:
    case element::uint8:
      return 8;
    case element::int4:
    case element::uint4:
      return 4;
    case element::bit:
      return 1;
    case element::float64:
      return 64;
    default:
      return 32;
  }
}

/// A shape of operand a's kind: rows in groups of 16 or 8; of b's kind: columns in groups of 8; or sums.
struct layout {
  operand which;
  int m, n, k;
  int unit;  // elements in a register of 32 bits; 1 if they are larger

  static layout of(operand which, int m, int n, int k, element type) {
    const int unit = bits_of(type) < 32 && which != operand::sums ? 32 / bits_of(type) : 1;
    // A product of 8 x 32 is the transpose of one of 32 x 8.
    if (m == 8 && n == 32) {
      const auto other = which == operand::a ? operand::b : which == operand::b ? operand::a : which;
      return {other, n, m, k, unit, true};
    }
    return {which, m, n, k, unit, false};
  }

  bool transposed;

  int elements() const {  // of a lane
    return (which == operand::a ? m * k : which == operand::b ? k * n : m * n) / 32;
  }

  /// Calls f(lane, place in its registers, row, column) for every element, register by register.
  template <class F>
  void for_each(F f) const {
    const int high = m < 16 ? 1 : 2;  // groups of eight rows in a tile
    for (int i = 0; i < elements(); ++i) {
      int row, col, per_row_lane, per_col_lane, row_step, col_step;
      at(i, high, row, col);
      steps(per_row_lane, per_col_lane, row_step, col_step);
      for (int lane = 0; lane < 32; ++lane) {
        const int r = row + (per_row_lane ? lane / 4 : lane % 4) * row_step;
        const int c = col + (per_col_lane ? lane / 4 : lane % 4) * col_step;
        transposed ? f(lane, i, c, r) : f(lane, i, r, c);
      }
    }
  }

 private:
  // The element of lane 0 at place i.
  void at(int i, int high, int& row, int& col) const {
    if (which == operand::a) {
      const int of_tile = high * k / 4, reg = i % of_tile / unit;
      row = i / of_tile * 16 + reg % high * 8;
      col = i % unit + reg / high * 4 * unit;
    } else if (which == operand::b) {
      const int of_tile = k / 4, reg = i % of_tile / unit;
      row = i % unit + reg * 4 * unit;
      col = i / of_tile * 8;
    } else {
      const int of_tile = high * 2, tile = i / of_tile, tiles_across = n / 8;
      row = tile / tiles_across * 16 + i % of_tile / 2 * 8;
      col = tile % tiles_across * 8 + i % 2;
    }
  }
  // How the element moves from lane to lane: by lane / 4 or by lane % 4, and how far.
  void steps(int& row_by_group, int& col_by_group, int& row_step, int& col_step) const {
    row_by_group = which != operand::b;
    col_by_group = which == operand::b;
    row_step = which == operand::b ? unit : 1;
    col_step = which == operand::b ? 1 : which == operand::a ? unit : 2;
  }
};

}  // namespace lab::sim
