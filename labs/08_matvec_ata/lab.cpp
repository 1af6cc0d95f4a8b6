#include "lab.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "lab/lab_definition.hpp"

namespace {

using vector = std::span<const float>;

auto make(const lab::problem_size& s, lab::random& random) {
  const int rows = s[0], cols = s[1];
  constexpr int limit = 2;  // c adds up rows x cols products of three: below 2^24 up to two million elements
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

// c follows from b as it was before it was rounded, row by row, which is how `a` lies in memory.
void reference(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  std::vector<double> sums(cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto product = along_row<double>(a, v, cols, row);
    b[row] = static_cast<float>(product);
    for (std::int64_t col = 0; col < cols; ++col) sums[col] += a[row * cols + col] * product;
  }
  std::ranges::transform(sums, c.begin(), [](double sum) { return static_cast<float>(sum); });
}

// Down a column of `a`, a whole row's length at every step.
float along_column(vector a, vector b, int rows, int cols, std::int64_t col) {
  float sum = 0;
  for (std::int64_t row = 0; row < rows; ++row) sum += a[row * cols + col] * b[row];
  return sum;
}

void one_thread(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  for (int row = 0; row < rows; ++row) b[row] = along_row<float>(a, v, cols, row);
  for (int col = 0; col < cols; ++col) c[col] = along_column(a, b, rows, cols, col);
}

void all_threads(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  lab::parallel_for(rows, [&](std::int64_t row) { b[row] = along_row<float>(a, v, cols, row); });
  lab::parallel_for(cols, [&](std::int64_t col) { c[col] = along_column(a, b, rows, cols, col); });
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

// Reads `a` once: a row serves both products while the caches hold it. Each thread adds up a c of its own.
void fast(vector a, vector v, std::span<float> b, std::span<float> c, int rows, int cols) {
  std::ranges::fill(c, 0.0f);
  std::mutex adding;
  const std::int64_t share = std::max<std::int64_t>((rows + lab::cores() - 1) / lab::cores(), (1 << 16) / cols + 1);
  lab::parallel_for((rows + share - 1) / share, [&](std::int64_t part) {
    std::vector<float> own(cols);
    for (auto row = part * share; row < std::min<std::int64_t>(rows, (part + 1) * share); ++row) {
      const float* from = &a[row * cols];
      const float product = b[row] = dot(from, v.data(), cols);
      for (int col = 0; col < cols; ++col) own[col] += from[col] * product;
    }
    const std::lock_guard lock{adding};
    for (int col = 0; col < cols; ++col) c[col] += own[col];
  });
}

const lab::registration
    registered{LAB_NAME,
               {
                   .title = "A matrix and its transpose, times a vector",
                   .idea = "reductions in a warp and in a block; rows and columns of one matrix, both read coalesced",
                   .launchers = {lab::launcher<decltype(ata_vector)>{
                       .name = "ata_vector",
                       .parameters = {"a", "v", "b", "c", "rows", "cols"},
                       .axes = {"rows", "cols"},
                       .make = make,
                       .reference = reference,
                       .one_thread = one_thread,
                       .all_threads = all_threads,
                       .fast = fast,
                       .check_sizes = {{1, 1},
                                       {1, 1000},
                                       {1000, 1},
                                       {32, 512},
                                       {33, 65},
                                       {5, 9001},
                                       {3, 16'384},
                                       {257, 511},
                                       {1031, 513},
                                       {1000, 777}},
                       .time_sizes = {{1000, 777}, {4096, 4096}, {16384, 16384}, {131072, 4096}},
                       // The magnitude is |A| |v| for b, and |A|^T (|A| |v|) for c, so that c may inherit the errors of
                       // b. With one column all terms of c have the same sign, and a thread that adds a thousand of
                       // them one after the other is off by four typically. A term left out is off by hundreds.
                       .allow = {.accumulated = 16},
                       .cost =
                           [](const lab::problem_size& s) {
                             const double rows = s[0], cols = s[1];  // to read `a` once is enough, as the encore shows
                             return lab::problem_cost{.bytes = sizeof(float) * (rows * cols + rows + 2 * cols),
                                                      .operations = 4 * rows * cols};
                           },
                       .gates = {{.metric = lab::traffic::load_sectors_per_request,
                                  .at = {96, 128},
                                  .limit = 4.2,
                                  .why = "Both products must walk along the rows of `a`, a warp on 32 neighbours at a "
                                         "time: the columns, too.",
                                  .costs = 1.38},
                                 {.metric = lab::traffic::load_sectors,
                                  .at = {96, 128},
                                  .limit = 4200,  // `a` twice is 3072, the rest is vectors and sums of shares
                                  .why = "Each of the two products must load `a` once.",
                                  .costs = 1.38}},
                   }},
               }};

}  // namespace
