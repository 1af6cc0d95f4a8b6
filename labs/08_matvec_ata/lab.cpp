#include "lab.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "lab/lab_definition.hpp"

namespace {

using vector = std::span<const float>;

constexpr int limit = 2;  // c adds up rows x cols products of three: below 2^24 up to two million elements

auto make_rows(const lab::problem_size& s, lab::random& random) {
  const int rows = s[0], cols = s[1];
  return std::tuple{random.values({rows, cols}, limit), random.values({cols}, limit), lab::output<float>({rows}), rows,
                    cols};
}

auto make_columns(const lab::problem_size& s, lab::random& random) {
  const int rows = s[0], cols = s[1];
  return std::tuple{random.values({rows, cols}, limit), random.values({rows}, limit), lab::output<float>({cols}), rows,
                    cols};
}

auto make_both(const lab::problem_size& s, lab::random& random) {
  const int rows = s[0], cols = s[1];
  return std::tuple{random.values({rows, cols}, limit),
                    random.values({cols}, limit),
                    lab::output<float>({rows}),
                    lab::output<float>({cols}),
                    rows,
                    cols};
}

template <class Number>
Number along_row(vector a, vector v, int cols, std::int64_t row) {
  Number sum = 0;
  for (std::int64_t col = 0; col < cols; ++col) sum += static_cast<Number>(a[row * cols + col]) * v[col];
  return sum;
}

void rows_reference(vector a, vector v, std::span<float> b, int rows, int cols) {
  for (std::int64_t row = 0; row < rows; ++row) b[row] = static_cast<float>(along_row<double>(a, v, cols, row));
}

void rows_one_thread(vector a, vector v, std::span<float> b, int rows, int cols) {
  for (int row = 0; row < rows; ++row) b[row] = along_row<float>(a, v, cols, row);
}

void rows_all_threads(vector a, vector v, std::span<float> b, int rows, int cols) {
  lab::parallel_for(rows, [&](std::int64_t row) { b[row] = along_row<float>(a, v, cols, row); });
}

// Sixteen sums at a time, which the compiler puts into vector registers.
float dot(const float* x, const float* y, std::int64_t count) {
  std::array<float, 16> sums{};
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (std::int64_t k = 0; k < 16; ++k) sums[k] += x[i + k] * y[i + k];
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

// How many rows a thread takes at a time: an even share, and enough for its work to be worth a start.
std::int64_t share_of(int rows, int cols) {
  return std::max<std::int64_t>((rows + lab::cores() - 1) / lab::cores(), (1 << 16) / cols + 1);
}

void rows_fast(vector a, vector v, std::span<float> b, int rows, int cols) {
  const auto share = share_of(rows, cols);
  lab::parallel_for((rows + share - 1) / share, [&](std::int64_t part) {
    for (auto row = part * share; row < std::min<std::int64_t>(rows, (part + 1) * share); ++row)
      b[row] = dot(&a[row * cols], v.data(), cols);
  });
}

// Row by row, which is how `a` is stored. `factor` returns the factor of a row.
template <class Factor>
void columns_by_rows(vector a, const Factor& factor, std::span<float> c, int rows, int cols) {
  std::vector<double> sums(cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    const double by = factor(row);
    for (std::int64_t col = 0; col < cols; ++col) sums[col] += a[row * cols + col] * by;
  }
  std::ranges::transform(sums, c.begin(), [](double sum) { return static_cast<float>(sum); });
}

void columns_reference(vector a, vector b, std::span<float> c, int rows, int cols) {
  columns_by_rows(
      a, [&](std::int64_t row) { return b[row]; }, c, rows, cols);
}

// Down a column of `a`, a whole row's length at every step.
float along_column(vector a, vector b, int rows, int cols, std::int64_t col) {
  float sum = 0;
  for (std::int64_t row = 0; row < rows; ++row) sum += a[row * cols + col] * b[row];
  return sum;
}

void columns_one_thread(vector a, vector b, std::span<float> c, int rows, int cols) {
  for (int col = 0; col < cols; ++col) c[col] = along_column(a, b, rows, cols, col);
}

void columns_all_threads(vector a, vector b, std::span<float> c, int rows, int cols) {
  lab::parallel_for(cols, [&](std::int64_t col) { c[col] = along_column(a, b, rows, cols, col); });
}

// Reads `a` once, row by row. Each thread adds up a c of its own. `factor` returns the factor of a row.
template <class Factor>
void columns_by_shares(vector a, const Factor& factor, std::span<float> c, int rows, int cols) {
  std::ranges::fill(c, 0.0f);
  std::mutex adding;
  const auto share = share_of(rows, cols);
  lab::parallel_for((rows + share - 1) / share, [&](std::int64_t part) {
    std::vector<float> own(cols);
    for (auto row = part * share; row < std::min<std::int64_t>(rows, (part + 1) * share); ++row) {
      const float* from = &a[row * cols];
      const float by = factor(row);
      for (int col = 0; col < cols; ++col) own[col] += from[col] * by;
    }
    const std::lock_guard lock{adding};
    for (int col = 0; col < cols; ++col) c[col] += own[col];
  });
}

void columns_fast(vector a, vector b, std::span<float> c, int rows, int cols) {
  columns_by_shares(
      a, [&](std::int64_t row) { return b[row]; }, c, rows, cols);
}

// A row serves both products while the caches hold it.
void both_fast(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  columns_by_shares(
      a, [&](std::int64_t row) { return b[row] = dot(&a[row * cols], v.data(), cols); }, c, rows, cols);
}

// c follows from b as it was before it was rounded.
void reference(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  rows_reference(a, v, b, rows, cols);
  columns_by_rows(
      a, [&](std::int64_t row) { return along_row<double>(a, v, cols, row); }, c, rows, cols);
}

using product = void(vector, vector, std::span<float>, int, int);

// One product after the other.
auto both(product first, product second) {
  return [=](vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
    first(a, v, b, rows, cols);
    second(a, b, c, rows, cols);
  };
}

// A share has 512 terms or more, so 513 x 301 has two of each column, 301 x 513 of each row, and the last size of both.
const std::vector<lab::problem_size> check_sizes = {{1, 1},    {1, 1000},   {1024, 1},  {32, 512},  {33, 65},
                                                    {5, 9001}, {3, 16'384}, {513, 301}, {301, 513}, {777, 521}};

// Also so many rows that one share each gives more blocks than the device holds at a time.
std::vector<lab::problem_size> check_sizes_with_many_rows() {
  auto sizes = check_sizes;
  sizes.insert(sizes.end() - 1, {9001, 2});
  return sizes;
}

// The magnitude is |A| |v| for b, and |A|^T (|A| |v|) for c, so that c may inherit the errors of b. With one column all
// terms of c have the same sign, and a thread that adds a thousand of them one after the other is off by four
// typically. A term left out is off by hundreds.
constexpr lab::tolerance allow{.accumulated = 16};

lab::gate coalesced(const std::string& why, double costs, const lab::problem_size& costs_at) {
  return {.metric = lab::traffic::load_sectors_per_request,
          .at = {96, 128},
          .limit = 4.2,
          .why = why,
          .costs = costs,
          .costs_at = costs_at};
}

// `a` has 1536 sectors at this size.
lab::gate loads(double limit, const std::string& why, double costs, const lab::problem_size& costs_at) {
  return {.metric = lab::traffic::load_sectors,
          .at = {96, 128},
          .limit = limit,
          .why = why,
          .costs = costs,
          .costs_at = costs_at};
}

lab::gate few_loads_per_warp(const lab::problem_size& at, double limit) {
  return {.metric = lab::traffic::load_requests_per_warp,
          .at = at,
          .limit = limit,
          .why = "A long sum must be divided among so many blocks that they fill the device: see share_of().",
          .costs = 2.34,
          .costs_at = {131'072, 4096}};
}

auto one_product(const std::string& name, std::vector<std::string> parameters) {
  return lab::launcher<decltype(matrix_vector)>{
      .name = name,
      .parameters = std::move(parameters),
      .axes = {"rows", "cols"},
      .check_sizes = check_sizes,
      .time_sizes = {{1000, 777}, {4096, 4096}, {16384, 16384}},
      .allow = allow,
      .cost =
          [](const lab::problem_size& s) {
            const double rows = s[0], cols = s[1];
            return lab::problem_cost{.bytes = sizeof(float) * (rows * cols + rows + cols),
                                     .operations = 2 * rows * cols};
          },
  };
}

auto rows_launcher() {
  auto one = one_product("matrix_vector", {"a", "v", "b", "rows", "cols"});
  one.make = make_rows;
  one.reference = rows_reference;
  one.one_thread = rows_one_thread;
  one.all_threads = rows_all_threads;
  one.fast = rows_fast;
  one.gates = {coalesced("A warp owns a row, so its lanes must take 32 neighbours at a time.", 1.55, {4096, 4096}),
               // `a` once, and as much of `v` where it is not staged, which the caches serve.
               loads(3100, "Each element of `a` must be loaded once, by one lane.", 2.02, {4096, 4096}),
               {.metric = lab::traffic::shared_wavefronts,
                .at = {96, 128},
                .limit = 700,
                .why = "The 32 sums of a warp must move from register to register: use __shfl_down_sync().",
                .costs = 1.02,
                .costs_at = {4096, 4096}}};
  return one;
}

auto columns_launcher() {
  auto one = one_product("transpose_vector", {"a", "b", "c", "rows", "cols"});
  one.make = make_columns;
  one.reference = columns_reference;
  one.one_thread = columns_one_thread;
  one.all_threads = columns_all_threads;
  one.fast = columns_fast;
  one.gates = {
      coalesced("A lane owns a column, so a warp must load 32 neighbours of one row at a time.", 1.74, {4096, 4096}),
      loads(2100, "Each element of `a` must be loaded once, by one warp.", 5.87, {4096, 4096})};
  return one;
}

auto both_launcher() {
  return lab::launcher<decltype(ata_vector)>{
      .name = "ata_vector",
      .parameters = {"a", "v", "b", "c", "rows", "cols"},
      .axes = {"rows", "cols"},
      .make = make_both,
      .reference = reference,
      .one_thread = both(rows_one_thread, columns_one_thread),
      .all_threads = both(rows_all_threads, columns_all_threads),
      .fast = both_fast,
      .check_sizes = check_sizes_with_many_rows(),
      .time_sizes = {{1000, 777}, {4096, 4096}, {16384, 16384}, {131072, 4096}},
      .allow = allow,
      .cost =
          [](const lab::problem_size& s) {
            const double rows = s[0], cols = s[1];  // to read `a` once is enough, as the encore shows
            return lab::problem_cost{.bytes = sizeof(float) * (rows * cols + rows + 2 * cols),
                                     .operations = 4 * rows * cols};
          },
      .gates = {coalesced("Both products must load 32 neighbours of a row at a time: the columns, too.", 1.38,
                          {8192, 4096}),
                // `a` twice is 3072 sectors, the rest is vectors and sums of shares.
                loads(4200, "Each of the two products must load `a` once.", 1.38, {8192, 4096}),
                // Shares of 512 rows take 66 requests of each warp; one share takes 1160. At the second size there are
                // 17 blocks, so that a formula which leaves 16 shares for one block leaves one for each.
                few_loads_per_warp({9001, 2}, 140), few_loads_per_warp({136, 2305}, 40)},
  };
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "A matrix and its transpose, times a vector",
        .idea = "reductions in a warp, in a block and in the grid; rows and columns of one matrix, both read coalesced",
        .launchers = {rows_launcher(), columns_launcher(), both_launcher()},
        .stages = {{"a sum in a warp", {"matrix_vector"}},
                   {"a sum in a block", {"transpose_vector"}},
                   {"a sum in the grid", {"ata_vector"}}},
        .errors = {"leak"},
    }};

}  // namespace
