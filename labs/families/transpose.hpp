#pragma once

#include "families/on_cpu.hpp"
#include "lab/lab_definition.hpp"

// What the transpose labs share: one launcher, one reference, the same sizes. Only their kernels differ.
namespace families {

using transpose_function = void(const int* in, int* out, int rows, int cols);

inline auto make_transpose(const lab::problem_size& s, lab::random& random) {
  const int rows = s[0], cols = s[1];
  constexpr int limit = 1'000'000'000;
  return std::tuple{random.integers<int>({rows, cols}, -limit, limit), lab::output<int>({cols, rows}), rows, cols};
}

inline void transpose_row(std::span<const int> in, std::span<int> out, int rows, int cols, std::int64_t row) {
  for (std::int64_t col = 0; col < cols; ++col) out[col * rows + row] = in[row * cols + col];
}

inline void transpose_one_thread(std::span<const int> in, std::span<int> out, int rows, int cols) {
  for (int row = 0; row < rows; ++row) transpose_row(in, out, rows, cols, row);
}

inline void transpose_all_threads(std::span<const int> in, std::span<int> out, int rows, int cols) {
  lab::parallel_for(rows, [&](std::int64_t row) { transpose_row(in, out, rows, cols, row); });
}

// A tile at a time: its rows are read in whole cache lines, its columns leave as rows of the result.
template <class Write>
void transpose_tile(std::span<const int> in, std::span<int> out, std::int64_t rows, std::int64_t cols, std::int64_t row,
                    std::int64_t col, Write write) {
  constexpr std::int64_t side = 32;
  const auto height = std::min(side, rows - row), width = std::min(side, cols - col);
  int tile[side][side];
  for (std::int64_t r = 0; r < height; ++r)
    for (std::int64_t c = 0; c < width; ++c) tile[c][r] = in[(row + r) * cols + col + c];
  for (std::int64_t c = 0; c < width; ++c) write(&out[(col + c) * rows + row], tile[c], height);
}

inline void transpose_fast(std::span<const int> in, std::span<int> out, int rows, int cols) {
  constexpr std::int64_t side = 32, small = 1 << 18;  // to start threads takes longer than to transpose so few
  const auto all_tiles = [&](std::int64_t band, auto write) {
    for (std::int64_t col = 0; col < cols; col += side) transpose_tile(in, out, rows, cols, band * side, col, write);
  };
  const std::int64_t bands = (rows + side - 1) / side;
  if (std::int64_t{rows} * cols <= small) {
    const auto copy = [](int* to, const int* from, std::int64_t count) { std::copy_n(from, count, to); };
    for (std::int64_t band = 0; band < bands; ++band) all_tiles(band, copy);
    return;
  }
  lab::parallel_for(bands, [&](std::int64_t band) {
    all_tiles(band, [](int* to, const int* from, std::int64_t count) { stream(to, from, count); });
    finish_streaming();
  });
}

/// What the gates of the transposes have in common: all at a size whose rows begin on whole sectors.
inline lab::gate at_most(lab::traffic metric, double limit, const char* why, double costs) {
  return {.metric = metric, .at = {64, 96}, .limit = limit, .why = why, .costs = costs, .costs_at = {4096, 4096}};
}

inline lab::gate coalesced_loads(double costs) {
  return at_most(lab::traffic::load_sectors_per_request, 4,
                 "Neighbouring threads (threadIdx.x) must load neighbouring elements: 32 ints are 4 sectors.", costs);
}

inline lab::gate coalesced_stores(double costs, const char* why) {
  return at_most(lab::traffic::store_sectors_per_request, 4, why, costs);
}

inline lab::gate coalesced_stores_from_the_tile(double costs) {
  return coalesced_stores(costs,
                          "Neighbouring threads (threadIdx.x) must store neighbouring elements: read a column of the "
                          "tile in shared memory, and store it as a row of `out`.");
}

/// Rows of 33 elements have no conflicts, rows of 34 and 36 cost nothing on an H200, rows of 40 do.
inline lab::gate few_bank_conflicts() {
  return at_most(lab::traffic::bank_conflicts, 576,
                 "The 32 elements that a warp reads must lie in different banks; the elements of a column of a 32-wide "
                 "array all lie in one.",
                 1.14);
}

inline lab::gate few_threads(double costs) {
  return at_most(
      lab::traffic::threads, 2 * 64 * 96,
      "One thread for each element is the most that the matrix needs: divide its rows and columns by those of "
      "a tile, and round up.",
      costs);
}

/// The launcher of the transpose for a lab; sizes are rows x cols, and the tile of every kernel is 32 x 32.
inline lab::launcher<transpose_function> transpose(std::vector<lab::gate> gates) {
  return {
      .name = "transpose",
      .parameters = {"in", "out", "rows", "cols"},
      .axes = {"rows", "cols"},
      .make = make_transpose,
      .reference = transpose_one_thread,
      .one_thread = transpose_one_thread,
      .all_threads = transpose_all_threads,
      .fast = transpose_fast,
      .check_sizes = {{1, 1}, {32, 32}, {31, 33}, {1, 97}, {67, 1}, {33, 64}, {100, 257}, {1025, 769}},
      .time_sizes = {{2000, 5000}, {16384, 16384}},
      .cost = [](const lab::problem_size& s) { return lab::problem_cost{.bytes = 2.0 * sizeof(int) * s[0] * s[1]}; },
      .gates = std::move(gates),
  };
}

}  // namespace families
