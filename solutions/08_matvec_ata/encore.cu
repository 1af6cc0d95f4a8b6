#include <algorithm>

#include "fused.hpp"
#include "lab.hpp"
#include "long_rows.hpp"
#include "longest_rows.hpp"
#include "narrow.hpp"
#include "shared_rows.hpp"
#include "sums.hpp"
#include "two_passes.hpp"
#include "wide.hpp"

using fused::most_threads;

// One product alone reads A once anyway: a warp for each row.
__global__ void short_rows(const float* a, const float* v, float* b, int rows, int cols) {
  const int row = blockIdx.x * (most_threads / lanes) + threadIdx.x / lanes;
  if (row >= rows) return;
  float sum = 0;
  for (int col = threadIdx.x % lanes; col < cols; col += lanes) sum += a[std::int64_t(row) * cols + col] * v[col];
  sum = sum_of_team(sum);
  if (threadIdx.x % lanes == 0) b[row] = sum;
}

// Whether one block for some rows would leave too many multiprocessors idle. Wide rows take longer, so more are few.
static bool few(const problem& x) {
  const int all = multiprocessors();
  return x.rows < (x.cols <= 4 * most_threads ? all / 4 : x.cols <= 16 * most_threads ? all * 3 / 4 : 3 * all);
}

// Whether all multiprocessors should share each row: the longest rows always, shorter ones if they are few. The longer
// they are, the more are few. On an H200, a block for each row took 1.05 times as long at 132 x 20001, and two blocks
// took 1.2 times as long at 1000 x 33001. Up to 9216 columns, rows that were shared took 1.2 times as long, however
// few.
template <class Vector>
static bool share_rows(const problem& x) {
  constexpr int ratio = sizeof(Vector) == sizeof(float) ? 200 : 600;
  const int width = divide_up(x.cols, most_threads);
  if (width <= 18) return false;
  if (width > 104 || x.cols / ratio > x.rows) return true;
  const double few = width > 64 ? 16 : width > 48 ? 6.25 : width > 40 ? 3 : width > 24 ? 2.25 : 1;
  return x.rows < few * multiprocessors();
}

template <class Vector>
static void launch_best(const problem& x) {
  constexpr bool scalar = sizeof(Vector) == sizeof(float);
  if (x.cols <= 1024) return narrow::launch_best < Vector, scalar ? 4 : 1, 4 > (x);
  // One row or two that are so long: sharing them takes 1.12 times as long at 2 x 200001.
  if (x.rows <= 2 && x.cols > 1 << 17 && longest_rows::launch(x)) return;
  if (share_rows<Vector>(x)) {
    if (shared_rows::launch(x) || longest_rows::launch(x)) return;
    if ((scalar || x.rows <= long_rows::few) && long_rows::launch(x)) return;
  }
  const bool rows_are_few = few(x);
  // Without vectors, if no multiprocessor has more than two rows, or five long ones, one at a time takes less time. On
  // an H200, two in registers took 1.1 times as long at 200 x 8001 and 600 x 5001, four 1.17 times at 256 x 2047.
  const bool one_by_one = scalar && x.rows < (x.cols <= 6 * most_threads ? 2 : 5) * multiprocessors();
  // With registers for 16,384 columns, 4193 x 8340 took 1.09 times as long as with room for just its own.
  const int most_held = scalar || x.cols <= 18 * most_threads ? 16 : 32;
  if (rows_are_few || one_by_one || x.cols > most_held * most_threads)
    if (wide::launch_best(x)) return;
  if (rows_are_few) return two_passes::launch<Vector>(x);
  return fused::launch_best<Vector>(x);
}

void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  if (cols <= 2 * most_threads)
    short_rows<<<divide_up(rows, most_threads / lanes), most_threads>>>(a, v, b, rows, cols);
  else
    two_passes::parts_of_rows<<<rows, two_passes::threads>>>(a, v, b, cols, 1, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  const int groups = two_passes::split_of<float>({a, nullptr, nullptr, c, rows, cols}).groups;
  if (groups > 1) few_tiles::launch_zeros(c, cols);
  two_passes::launch_columns(groups == 1, a, b, nullptr, c, rows, cols, 1, groups);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  const problem x{a, v, b, c, rows, cols};
  const auto places =
      reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(v) | reinterpret_cast<std::uintptr_t>(c);
  const bool aligned = places % sizeof(float4) == 0 && cols % 4 == 0;
  aligned ? launch_best<float4>(x) : launch_best<float>(x);
}
