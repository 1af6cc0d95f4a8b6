#pragma once

#include <algorithm>

#include "ring_kernel.hpp"

// The forms of ring_kernel.hpp's kernel, among which plan.hpp chooses.
namespace ring_kernel {

// What the host knows of a form.
struct form_facts {
  void (*kernel)(CUtensorMap, CUtensorMap, problem);
  source from;
  int rows, cols, at_a_time, team, fetched, team_rows, team_cols, threads, bytes, crews;
  int loaded_cols;  // whole boxes
  int cycles;       // of the tensor cores in a step
  bool turned;

  constexpr int cluster_rows() const { return rows * team_rows; }
  constexpr int cluster_cols() const { return cols * team_cols; }
};

// Of a step for `tiles` of 64 rows and so many columns, if these wait for nothing but shared memory.
constexpr int cycles_for(int tiles, int columns) { return tiles * std::max(2 * columns, columns + 64); }

template <class Form>
constexpr form_facts facts_of = {
    .kernel = matmul_kernel<Form>,
    .from = Form::from,
    .rows = Form::rows,
    .cols = Form::cols,
    .at_a_time = Form::at_a_time,
    .team = Form::team,
    .fetched = Form::fetched,
    .team_rows = Form::team_rows,
    .team_cols = Form::team_cols,
    .threads = Form::threads,
    .bytes = sizeof(ring<Form>) + 1024,  // it begins at a multiple of 1024 bytes
    .crews = Form::crews,
    .loaded_cols = Form::boxes * 64,
    .cycles =
        Form::turned ? cycles_for(Form::parts* Form::consumers, Form::height) : cycles_for(Form::consumers, Form::cols),
    .turned = Form::turned,
};

// As many stages as fit beside barriers and strips, and no more than are of use.
constexpr int stages_for(int rows, int cols) { return std::min(16, 220 * 1024 / (2 * depth * (rows + cols))); }

// Tiles of TMA's whose rows are the columns of the tensor cores' instructions, with as many stages as there is room
// for.
template <int rows, int cols, int team = 1, direction lies = direction::down, order is = order::turned>
using turned_form = form<rows, cols, stages_for(rows, cols), 1, source::by_tma, team, 1, rows, lies, is>;
// With 16 rows, and two blocks a multiprocessor.
template <source from>
using low_form = form<16, 64, 8, 2, from, 1, 1, 16, direction::down, order::turned>;
// With two crews, for blocks that compute several tiles.
template <int rows, int cols, int stages, int team = 1, direction lies = direction::down>
using paired_form = form<rows, cols, stages, 1, source::by_tma, team, 1, rows, lies, order::given, 2>;

// What a form gains on an H200, beside the best of the others.
constexpr form_facts forms[] = {
    // 1.19 at 2048 x 8000 x 2000, 1.06 at 2000 x 1500 x 11008, 1.08 at 256 x 8192 x 8192, 1.19 at 1024 x 1024 x 1024,
    // 1.10 at 4430 x 128 x 32. For few rows: 1.09 at 24 x 14328 x 15496.
    facts_of<form<128, 256, 4, 1, source::by_tma>>,
    facts_of<form<128, 192, 5, 1, source::by_tma>>,
    facts_of<form<128, 128, 6, 1, source::by_tma>>,
    facts_of<form<64, 128, 8, 1, source::by_tma>>,
    facts_of<form<64, 64, 8, 1, source::by_tma>>,
    facts_of<form<64, 128, 10, 1, source::by_tma, 1, 1, narrow>>,
    // 1.11 at 1408 x 640 x 768, 1.09 at 2000 x 1000 x 768, 1.09 at 6000 x 1408 x 800, 1.15 at 696 x 1928 x 6272.
    facts_of<form<128, 64, 8, 1, source::by_tma>>,
    facts_of<form<64, 192, 6, 1, source::by_tma>>,
    facts_of<form<128, 160, 5, 1, source::by_tma>>,
    facts_of<form<192, 192, 4, 1, source::by_tma>>,
    // By copies, all five beside the others: 1.97 at 3667 x 10838 x 120, 2.0 at 15 x 6728 x 14836. Each:
    // 1.14 at 2872 x 572 x 142, 1.16 at 55 x 560 x 220, 1.18 at 11008 x 500 x 256, 1.23 at 74 x 11506 x 2076, 1.33 at
    // 12 x 2254 x 13028. Of the first two, expected to take as long, the first is faster with many steps.
    facts_of<form<64, 64, 12, 1, source::by_copies, 1, 2>>,
    facts_of<form<64, 64, 6, 2, source::by_copies>>,
    facts_of<form<64, 128, 8, 1, source::by_copies, 1, 2>>,
    facts_of<form<128, 128, 6, 1, source::by_copies, 1, 2>>,
    facts_of<low_form<source::by_copies>>,
    // Four warpgroups that load instead of two: 1.20 at 40 x 300001 x 19 on an H100.
    facts_of<form<64, 64, 8, 1, source::by_registers, 1, 4>>,
    // Clusters of blocks below each other, for rows of b that lie in two lines of L2: 1.16 at 1500 x 1240 x 1896,
    // 1.17 at 1000 x 3072 x 1800. The widest, where it saves a turn: 1.12 at 10847 x 4728 x 288.
    facts_of<form<128, 192, 5, 1, source::by_tma, 2>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, 4>>,
    facts_of<form<128, 320, 3, 1, source::by_tma, 2>>,
    // For few columns, whose lines all blocks want:
    // 1.12 at 1705 x 2432 x 8, 1.09 at 7375 x 1680 x 104, 1.12 at 8033 x 9856 x 8.
    facts_of<form<64, 64, 13, 1, source::by_tma, 4>>,
    facts_of<form<64, 128, 8, 1, source::by_tma, 4>>,
    facts_of<form<128, 64, 8, 1, source::by_tma, 4>>,
    // Across: 1.14 at 100 x 1000 x 5000, 1.08 at 642 x 1200 x 2303, 1.14 at 4015 x 6384 x 1032.
    facts_of<form<128, 64, 8, 1, source::by_tma, 4, 1, 128, direction::across>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, 4, 1, 128, direction::across>>,
    facts_of<form<192, 176, 4, 1, source::by_tma, 2, 1, 192, direction::across>>,
    // Turned, so that a turn's tiles are as many as the multiprocessors. For few rows:
    // 1.08 at 6 x 13344 x 6488, 1.07 at 8 x 1968 x 4992, 1.08 at 64 x 800 x 1200, 1.07 at 200 x 4000 x 1792.
    facts_of<low_form<source::by_tma>>,
    facts_of<turned_form<16, 128>>,
    facts_of<turned_form<24, 64>>,
    facts_of<turned_form<56, 64>>,
    // 1.17 at 3072 x 3584 x 500, 1.15 at 1000 x 3584 x 7168. Across:
    // 1.12 at 6000 x 4096 x 512, 1.09 at 7168 x 12288 x 512, 1.22 at 2351 x 5600 x 1000, 1.07 at 190 x 7720 x 3312.
    facts_of<turned_form<96, 128>>,
    facts_of<turned_form<144, 128>>,
    facts_of<turned_form<208, 128, 2, direction::across>>,
    facts_of<turned_form<224, 128, 2, direction::across>>,
    facts_of<turned_form<160, 128, 4, direction::across>>,
    facts_of<turned_form<192, 128, 4, direction::across>>,
    // Down: 1.07 at 3072 x 3072 x 700, 1.08 at 2500 x 5120 x 1600, 1.35 at 5000 x 5000 x 1000, 1.06 at 300 x 10000 x
    // 5000. With the rows shared 1.17 at 10245 x 3336 x 264.
    facts_of<turned_form<160, 128, 2>>,
    facts_of<turned_form<256, 128, 2>>,
    facts_of<turned_form<160, 256, 2>>,
    facts_of<turned_form<80, 192, 4>>,
    facts_of<turned_form<160, 192, 2, direction::down, order::halves>>,
    // Two crews. All: 1.14 at 6144 x 384 x 2048, 1.11 at 4096 x 1024 x 4096. Each:
    // 1.10 at 946 x 188 x 1893, 1.13 at 6144 x 640 x 1600, 1.11 at 5000 x 1600 x 1280, 1.08 at 4000 x 1024 x 800,
    // 1.08 at 11723 x 24 x 1760, 1.07 at 8267 x 1032 x 1504.
    facts_of<paired_form<64, 128, 8>>,
    facts_of<paired_form<128, 128, 6>>,
    facts_of<paired_form<64, 256, 5>>,
    facts_of<paired_form<128, 128, 6, 4>>,
    facts_of<paired_form<128, 64, 8, 4, direction::across>>,
    facts_of<paired_form<128, 128, 6, 4, direction::across>>,
};
constexpr int forms_count = sizeof forms / sizeof *forms;

}  // namespace ring_kernel
