#pragma once

#include <algorithm>

#include "../device/product_parts.hpp"
#include "ring_kernel.hpp"

// The forms of ring_kernel.hpp's kernel, among which plan.hpp chooses.
namespace ring_kernel {

// What the host knows of a form.
struct form_facts {
  void (*kernel)(CUtensorMap, CUtensorMap, problem);
  int rows, cols, stages, at_a_time, team, fetched, team_rows, team_cols, threads, bytes;
  int cycles;  // of the tensor cores in a step
  bool by_tma, turned;

  constexpr int cluster_rows() const { return rows * team_rows; }
  constexpr int cluster_cols() const { return cols * team_cols; }
};

// Of a step for `tiles` of 64 rows and so many columns, if these wait for nothing but shared memory.
constexpr int cycles_for(int tiles, int columns) { return tiles * std::max(2 * columns, columns + 64); }

template <class Form>
constexpr form_facts facts_of = {
    .kernel = matmul_kernel<Form>,
    .rows = Form::rows,
    .cols = Form::cols,
    .stages = Form::stages,
    .at_a_time = Form::at_a_time,
    .team = Form::team,
    .fetched = Form::fetched,
    .team_rows = Form::team_rows,
    .team_cols = Form::team_cols,
    .threads = Form::threads,
    .bytes = sizeof(ring<Form>) + 1024,  // it begins at a multiple of 1024 bytes
    .cycles =
        Form::turned ? cycles_for(Form::parts* Form::consumers, Form::height) : cycles_for(Form::consumers, Form::cols),
    .by_tma = Form::from == source::by_tma,
    .turned = Form::turned,
};

// As many stages as fit beside barriers and strips, and no more than are of use.
constexpr int stages_for(int rows, int cols) { return std::min(16, 220 * 1024 / (2 * depth * (rows + cols))); }

// Tiles of TMA's whose rows are the columns of the tensor cores' instructions, with as many stages as there is room
// for.
template <int rows, int cols, int team = 1, direction lies = direction::down, order is = order::turned>
using turned_form = form<rows, cols, stages_for(rows, cols), 1, source::by_tma, team, 1, rows, lies, is>;

// What they gain on an H100, beside the best of the others: all but the first 1.86 times as fast at 1024 x 1024 x 1024;
// the second 1.14 at 3072 x 3072 x 3072. Eight stages beside four: 1.5 at 128 x 16384 x 4096, 1.12 at 1024 x 1024 x
// 1024. Two by threads: two blocks with two warpgroups that load 1.14 at 12 x 500 x 200001, one block with four 1.20 at
// 40 x 300001 x 19. That for few rows, on an H200: 1.17 at 27 x 3400 x 17000.
constexpr form_facts forms[] = {
    facts_of<form<128, 256, 4, 1, source::by_tma>>,
    facts_of<form<128, 192, 5, 1, source::by_tma>>,
    facts_of<form<128, 128, 6, 1, source::by_tma>>,
    facts_of<form<64, 128, 8, 1, source::by_tma>>,
    facts_of<form<64, 64, 8, 1, source::by_tma>>,
    facts_of<form<64, 64, 4, 2, source::by_threads, 1, 2>>,
    facts_of<form<64, 64, 8, 1, source::by_threads, 1, 4>>,
    facts_of<form<64, 128, 10, 1, source::by_tma, 1, 1, narrow>>,
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has clusters of one block only
    // All that follow are measured on an H200, beside the best of the others. Clusters of blocks below each other, for
    // rows that lie in two lines of L2: 1.17 times as fast at 1500 x 1240 x 1896, 1.23 at 11053 x 3384 x 11. The
    // widest, where it saves a turn: 1.05 at 700 x 104 x 13000.
    facts_of<form<128, 192, 5, 1, source::by_tma, 2>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, 4>>,
    facts_of<form<128, 320, 3, 1, source::by_tma, 2>>,
    // Across: 1.06 at 64 x 696 x 3000, 1.20 at 100 x 1000 x 5000, 1.08 at 88 x 900 x 9000.
    facts_of<form<64, 64, 13, 1, source::by_tma, 4, 1, 64, direction::across>>,
    facts_of<form<128, 64, 8, 1, source::by_tma, 4, 1, 128, direction::across>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, 4, 1, 128, direction::across>>,
    // Turned, so that a turn's tiles are as many as the multiprocessors. For few rows: 1.19 at 4 x 384 x 2048, 1.19 at
    // 10 x 2048 x 280, 1.13 at 256 x 600 x 32, 1.14 at 72 x 4096 x 1992.
    facts_of<turned_form<16, 64>>,
    facts_of<turned_form<16, 128>>,
    facts_of<turned_form<32, 64>>,
    facts_of<turned_form<80, 64>>,
    // 1.08 at 1536 x 1536 x 1536; across 1.09 at 152 x 3500 x 4496, 1.09 at 5608 x 3400 x 256, 1.08 at 1000 x 3000 x
    // 1000, 1.08 at 3000 x 1000 x 1000, 1.20 at 2351 x 5600 x 1000.
    facts_of<turned_form<144, 128>>,
    facts_of<turned_form<80, 128, 2, direction::across>>,
    facts_of<turned_form<112, 128, 2, direction::across>>,
    facts_of<turned_form<144, 64, 2, direction::across>>,
    facts_of<turned_form<208, 128, 2, direction::across>>,
    facts_of<turned_form<160, 128, 4, direction::across>>,
    // Down: 1.15 at 4096 x 752 x 184, 1.16 at 5000 x 1000 x 1000, 1.07 at 1100 x 4400 x 1696, 1.07 at 3300 x 4096 x
    // 2072, 1.11 at 1200 x 2400 x 1200. With the rows shared 1.04 at 1800 x 1800 x 1800.
    facts_of<turned_form<128, 64, 2>>,
    facts_of<turned_form<160, 256, 2>>,
    facts_of<turned_form<80, 192, 2>>,
    facts_of<turned_form<144, 192, 2>>,
    facts_of<turned_form<80, 192, 4>>,
    facts_of<turned_form<160, 192, 2, direction::down, order::halves>>,
#endif
};
constexpr int forms_count = sizeof forms / sizeof *forms;

}  // namespace ring_kernel
