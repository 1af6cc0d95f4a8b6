#include <algorithm>

#include "fused.hpp"
#include "lab.hpp"
#include "long_rows.hpp"
#include "longest_rows.hpp"
#include "narrow.hpp"
#include "shared_rows.hpp"
#include "shares.hpp"
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
// they are, the more are few. On an H200, a block for each row took 1.3 times as long at 200 x 18001, and two blocks
// took 1.1 times as long at 1000 x 36001.
template <class Vector>
static bool share_rows(const problem& x) {
  constexpr int ratio = sizeof(Vector) == sizeof(float) ? 200 : 600;
  const int width = divide_up(x.cols, most_threads);
  if (width > 104 || x.cols / ratio > x.rows) return true;
  const double few = width > 64   ? 16
                     : width > 40 ? 6.25
                     : width > 36 ? 3.75
                     : width > 28 ? 2.75
                     : width > 24 ? 2.5
                     : width > 8  ? 1
                                  : 0;
  return x.rows < few * multiprocessors();
}

// Returns the number of shares of c. A single one is c itself.
template <class Vector>
static int launch_best(const problem& x) {
  constexpr bool scalar = sizeof(Vector) == sizeof(float);
  if (x.cols <= 1024) return narrow::launch_best < Vector, scalar ? 4 : 1, 4 > (x);
  if (share_rows<Vector>(x)) {
    if (shared_rows::launch(x) || longest_rows::launch(x)) return 1;
    if ((scalar || x.rows <= long_rows::few) && long_rows::launch(x)) return 1;
  }
  const bool rows_are_few = few(x);
  // Registers hold two rows of 4097 to 8192 floats. If no multiprocessor has more than five rows, one at a time takes
  // less time. Two took 1.1 times as long at 200 x 8001 and 600 x 5001 on an H200.
  const int most_held = scalar ? (x.rows < 5 * multiprocessors() ? 8 : 16) : 32;
  if (rows_are_few || x.cols > most_held * most_threads)
    if (const int shares = wide::launch_best(x)) return shares;
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
  const int count = two_passes::split_of<float>({a, nullptr, nullptr, c, rows, cols}).shares;
  float* shares = count == 1 ? c : scratch(std::size_t(count) * cols);
  two_passes::launch_columns<true>(a, b, nullptr, shares, rows, cols, 1, count);
  add_up(shares, c, count, cols);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  const problem x{a, v, b, c, rows, cols};
  const auto places =
      reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(v) | reinterpret_cast<std::uintptr_t>(c);
  const bool aligned = places % sizeof(float4) == 0 && cols % 4 == 0;
  const int count = aligned ? launch_best<float4>(x) : launch_best<float>(x);
  add_up(scratch(0), c, count, cols);
}
