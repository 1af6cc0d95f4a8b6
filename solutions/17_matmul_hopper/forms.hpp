#pragma once

#include "../device/product_parts.hpp"
#include "ring_kernel.hpp"

// The forms of ring_kernel.hpp's kernel, among which plan.hpp chooses.
namespace ring_kernel {

// What the host knows of a form. Its times are in microseconds: a step of a block that is alone on its multiprocessor,
// and the end of a tile. They are fitted to the times of 330 products on an H200.
struct form_facts {
  void (*kernel)(CUtensorMap, CUtensorMap, problem);
  int rows, cols, stages, at_a_time, team, fetched, team_rows, team_cols, threads, bytes;
  bool by_tma, turned;
  double step, end;

  constexpr int cluster_rows() const { return rows * team_rows; }
  constexpr int cluster_cols() const { return cols * team_cols; }
};

template <class Form>
constexpr form_facts with_times(double step, double end) {
  constexpr int bytes = sizeof(ring<Form>) + 1024;  // it begins at a multiple of 1024 bytes
  return {matmul_kernel<Form>,
          Form::rows,
          Form::cols,
          Form::stages,
          Form::at_a_time,
          Form::team,
          Form::fetched,
          Form::team_rows,
          Form::team_cols,
          Form::threads,
          bytes,
          Form::from == source::by_tma,
          Form::turned,
          step,
          end};
}

// What they gain on an H100, beside the best of the others: all but the first 1.86 times as fast at 1024 x 1024 x 1024;
// the second 1.14 at 3072 x 3072 x 3072. Eight stages beside four: 1.5 at 128 x 16384 x 4096, 1.12 at 1024 x 1024 x
// 1024. Two by threads: two blocks with two warpgroups that load 1.14 at 12 x 500 x 200001, one block with four 1.20 at
// 40 x 300001 x 19. Two for few rows, on an H200: 1.07 at 32 x 8192 x 8192 and 1.08 at 17 x 4096 x 14336.
constexpr form_facts forms[] = {
    with_times<form<128, 256, 4, 1, source::by_tma>>(0.591, 3.28),
    with_times<form<128, 192, 5, 1, source::by_tma>>(0.487, 2.29),
    with_times<form<128, 128, 6, 1, source::by_tma>>(0.355, 1.48),
    with_times<form<64, 128, 8, 1, source::by_tma>>(0.142, 1.05),
    with_times<form<64, 64, 8, 1, source::by_tma>>(0.0443, 0.769),
    with_times<form<64, 64, 4, 2, source::by_threads, 1, 2>>(1.01, 0.45),
    with_times<form<64, 64, 8, 1, source::by_threads, 1, 4>>(0.676, 0.575),
    with_times<form<64, 128, 10, 1, source::by_tma, 1, 1, narrow>>(0.301, 0.861),
    with_times<form<64, 64, 16, 1, source::by_tma, 1, 1, narrow>>(0.0233, 1.19),
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has clusters of one block only
    // Clusters of two and of four blocks, for rows that lie in two lines of L2: 1.10 times as fast at 4000 x 4000 x
    // 4000, 1.31 at 2000 x 1000 x 5000. On an H200, those with smaller tiles: 1.09 at 1000 x 1000 x 5000 and 1.22 at
    // 1000 x 3000 x 1000. The widest, where it saves a turn: 1.13 at 1000 x 1000 x 5000.
    with_times<form<128, 256, 4, 1, source::by_tma, 2>>(0.582, 3.44),
    with_times<form<128, 256, 4, 1, source::by_tma, 4>>(0.63, 2.9),
    with_times<form<128, 192, 5, 1, source::by_tma, 2>>(0.526, 2.43),
    with_times<form<128, 128, 6, 1, source::by_tma, 4>>(0.293, 1.84),
    with_times<form<128, 320, 3, 1, source::by_tma, 2>>(0.797, 5.14),
    // Clusters across: 1.24 at 64 x 1000 x 5000, 1.27 at 100 x 1000 x 5000 and 1.22 at 128 x 1000 x 10000.
    with_times<form<64, 64, 13, 1, source::by_tma, 4, 1, 64, direction::across>>(0.17, 1.01),
    with_times<form<128, 64, 8, 1, source::by_tma, 4, 1, 128, direction::across>>(0.235, 1.18),
    with_times<form<128, 128, 6, 1, source::by_tma, 4, 1, 128, direction::across>>(0.318, 1.56),
    // That for few rows: 1.06 at 16 x 2000 x 5000.
    with_times<form<64, 64, 16, 1, source::by_tma, 4, 1, narrow, direction::across>>(0.0358, 2.24),
    // 1.05 at 128 x 16384 x 4096, 1.08 at 1000 x 3000 x 1000.
    with_times<form<64, 128, 8, 1, source::by_tma, 2>>(0.206, 1.24),
    // Turned, for rows in steps of eight: 1.15 at 5000 x 1000 x 1000, 1.25 at 300 x 10000 x 5000; the second 1.06 at
    // 3000 x 1000 x 1000.
    with_times<form<160, 256, 4, 1, source::by_tma, 2, 1, 160, direction::down, order::turned>>(0.745, 7.05),
    with_times<form<208, 128, 5, 1, source::by_tma, 2, 1, 208, direction::across, order::turned>>(0.529, 4.02),
#endif
};
constexpr int forms_count = sizeof forms / sizeof *forms;

}  // namespace ring_kernel
