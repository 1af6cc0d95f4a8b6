#pragma once

#include <algorithm>

#include "ring_kernel.hpp"

// The forms of ring_kernel.hpp's kernel, among which plan.hpp chooses.
namespace ring_kernel {

// What the host knows of a form.
struct form_facts {
  void (*kernel)(CUtensorMap, CUtensorMap, problem);
  source from;
  int rows, cols, at_a_time, team, team_rows, team_cols, threads, bytes, crews;
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
template <int rows, int cols, cluster_shape together = no_cluster, order is = order::turned>
using turned_form = form<rows, cols, stages_for(rows, cols), 1, source::by_tma, together, 1, is>;
// With 16 rows, and two blocks a multiprocessor.
template <source from>
using low_form = form<16, 64, 8, 2, from, no_cluster, 1, order::turned>;
// With two crews, for blocks that compute several tiles.
template <int rows, int cols, int stages, cluster_shape together = no_cluster>
using paired_form = form<rows, cols, stages, 1, source::by_tma, together, 1, order::given, 2>;

// What a form gains on an H200, beside the best of the others.
constexpr form_facts forms[] = {
    // Each block gets its own tiles. In the order of the forms: 1.10 at 1024 x 5000 x 8192, 1.11 at 383 x 4618 x 7795,
    // 1.13 at 10797 x 182 x 7190, 1.06 at 2484 x 64 x 832, 1.14 at 512 x 2560 x 2000, 1.10 at 10780 x 10424 x 368.
    facts_of<form<128, 256, 4, 1, source::by_tma>>,
    facts_of<form<128, 192, 5, 1, source::by_tma>>,
    facts_of<form<64, 128, 8, 1, source::by_tma>>,
    facts_of<form<64, 64, 8, 1, source::by_tma>>,
    facts_of<form<128, 64, 8, 1, source::by_tma>>,
    facts_of<form<192, 192, 4, 1, source::by_tma>>,
    // By copies, all five beside the others: 1.97 at 3667 x 10838 x 120, 2.0 at 15 x 6728 x 14836. Each:
    // 1.14 at 2872 x 572 x 142, 1.16 at 55 x 560 x 220, 1.18 at 11008 x 500 x 256, 1.23 at 74 x 11506 x 2076, 1.33 at
    // 12 x 2254 x 13028. Of the first two, expected to take as long, the first is faster with many steps.
    facts_of<form<64, 64, 12, 1, source::by_copies, no_cluster, 2>>,
    facts_of<form<64, 64, 6, 2, source::by_copies>>,
    facts_of<form<64, 128, 8, 1, source::by_copies, no_cluster, 2>>,
    facts_of<form<128, 128, 6, 1, source::by_copies, no_cluster, 2>>,
    facts_of<low_form<source::by_copies>>,
    // Four warpgroups that load instead of two: 1.20 at 40 x 300001 x 19 on an H100.
    facts_of<form<64, 64, 8, 1, source::by_registers, no_cluster, 4>>,
    // Clusters ask L2 for fewer lines. 1.15 at 1280 x 16384 x 1600, 1.05 at 1600 x 4096 x 800, 1.06 at 101 x 4440 x
    // 15544, 1.18 at 800 x 3000 x 2048, 1.06 at 3670 x 1280 x 408.
    facts_of<form<128, 128, 6, 1, source::by_tma, cluster(2, 1)>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, cluster(4, 1)>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, cluster(1, 2)>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, cluster(1, 4)>>,
    facts_of<form<128, 128, 6, 1, source::by_tma, cluster(2, 2)>>,
    // The first and the last for few columns, whose lines all blocks want. 1.12 at 8433 x 264 x 16, 1.14 at 338 x 792 x
    // 2328, 1.07 at 1222 x 198 x 433, 1.06 at 4242 x 304 x 16.
    facts_of<form<128, 64, 8, 1, source::by_tma, cluster(4, 1)>>,
    facts_of<form<128, 64, 8, 1, source::by_tma, cluster(1, 4)>>,
    facts_of<form<128, 64, 8, 1, source::by_tma, cluster(2, 2)>>,
    facts_of<form<64, 64, 13, 1, source::by_tma, cluster(4, 1)>>,
    // 1.10 at 3584 x 1600 x 320, 1.13 at 731 x 1280 x 3136, 1.13 at 3115 x 4536 x 272, 1.05 at 4096 x 10000 x 448.
    facts_of<form<64, 160, 6, 1, source::by_tma, cluster(4, 1)>>,
    facts_of<form<128, 160, 5, 1, source::by_tma, cluster(2, 1)>>,
    facts_of<form<128, 160, 5, 1, source::by_tma, cluster(4, 2)>>,
    facts_of<form<128, 224, 4, 1, source::by_tma, cluster(2, 1)>>,
    // Turned, so that a turn's tiles are as many as the multiprocessors. For few rows: 1.07 at 3685 x 64 x 64, 1.11 at
    // 12 x 64 x 64, 1.04 at 96 x 192 x 320, 1.05 at 223 x 104 x 448, 1.05 at 281 x 2624 x 184, 1.04 at 384 x 8192 x
    // 200, 1.11 at 320 x 3072 x 2048, 1.06 at 200 x 800 x 448, 1.08 at 320 x 1024 x 1000, 1.09 at 28 x 1800 x 8824.
    facts_of<low_form<source::by_tma>>,
    facts_of<turned_form<8, 64>>,
    facts_of<turned_form<24, 64, cluster(1, 2)>>,
    facts_of<turned_form<48, 64, cluster(1, 4)>>,
    facts_of<turned_form<56, 64>>,
    facts_of<turned_form<64, 64, cluster(2, 4)>>,
    facts_of<turned_form<80, 64>>,
    facts_of<turned_form<80, 64, cluster(1, 4)>>,
    facts_of<turned_form<80, 64, cluster(2, 2)>>,
    facts_of<turned_form<48, 128>>,
    // 1.10 at 2560 x 16384 x 512, 1.07 at 448 x 1600 x 2560, 1.11 at 448 x 3072 x 3072, 1.08 at 10000 x 160 x 80, 1.09
    // at 1280 x 4000 x 1000, 1.10 at 896 x 1200 x 1792, 1.13 at 6144 x 2560 x 384, 1.13 at 1600 x 10000 x 1536.
    facts_of<turned_form<80, 128, cluster(1, 2)>>,
    facts_of<turned_form<80, 128, cluster(2, 2)>>,
    facts_of<turned_form<96, 128>>,
    facts_of<turned_form<96, 128, cluster(2, 1)>>,
    facts_of<turned_form<96, 128, cluster(2, 4)>>,
    facts_of<turned_form<112, 128, cluster(2, 2)>>,
    facts_of<turned_form<144, 128, cluster(2, 1)>>,
    facts_of<turned_form<160, 128, cluster(2, 2)>>,
    // 1.05 at 512 x 5000 x 1280, 1.21 at 3143 x 10368 x 872, 1.06 at 896 x 1600 x 3000, 1.07 at 4534 x 88 x 5144, 1.07
    // at 6570 x 120 x 3224, 1.13 at 4000 x 2560 x 1000, 1.15 at 5120 x 5000 x 1024, 1.10 at 292 x 704 x 9736.
    facts_of<turned_form<160, 128, cluster(4, 2)>>,
    facts_of<turned_form<176, 128, cluster(2, 1)>>,
    facts_of<turned_form<192, 128, cluster(1, 4)>>,
    facts_of<turned_form<208, 128, cluster(1, 2)>>,
    facts_of<turned_form<224, 128, cluster(1, 2)>>,
    facts_of<turned_form<256, 128, cluster(2, 1)>>,
    facts_of<turned_form<160, 256, cluster(2, 1)>>,
    facts_of<turned_form<160, 192, cluster(2, 1), order::halves>>,
    // Two crews. All: 1.14 at 6144 x 384 x 2048, 1.11 at 4096 x 1024 x 4096. Each: 1.08 at 1200 x 1280 x 8192, 1.10 at
    // 800 x 800 x 5120, 1.10 at 4041 x 592 x 3496, 1.09 at 2048 x 1000 x 2560.
    facts_of<paired_form<128, 128, 6>>,
    facts_of<paired_form<64, 256, 5>>,
    facts_of<paired_form<128, 128, 6, cluster(4, 1)>>,
    facts_of<paired_form<128, 128, 6, cluster(1, 4)>>,
};
constexpr int forms_count = sizeof forms / sizeof *forms;
static_assert(std::ranges::all_of(forms, [](const form_facts& of) { return of.bytes <= 227 * 1024; }),
              "a block has no more shared memory than that");

}  // namespace ring_kernel
