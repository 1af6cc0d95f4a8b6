#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

namespace {

// The states of an output as a matrix.
struct map {
  const mismatch& e;
  extents size;
  bool right(std::int64_t i) const { return e.result.states[i] == element_state::right; }
  bool is_vector() const { return size.rows == 1 || size.cols == 1; }
  std::int64_t total() const { return e.result.total; }
};

// The rows and columns beyond which nothing is right, if everything before them is right.
std::optional<extents> right_corner(const map& m) {
  extents corner{0, 0};
  for (std::int64_t r = 0; r < m.size.rows; ++r)
    for (std::int64_t c = 0; c < m.size.cols; ++c)
      if (m.right(r * m.size.cols + c)) corner = {std::max(corner.rows, r + 1), std::max(corner.cols, c + 1)};
  const auto right = m.total() - m.e.result.wrong;
  if (right == 0 || right != corner.rows * corner.cols) return std::nullopt;
  return corner;
}

// Whether all but one block could end here: at a multiple of a usual block size, at most a block from the total.
bool whole_blocks(std::int64_t end, std::int64_t total) {
  for (std::int64_t block = 1024; block >= 8; block /= 2)
    if (end % block == 0 && total - end <= block) return true;
  return end == total;
}

bool one_block(std::int64_t end, std::int64_t total) {
  return end == total ||
         (end >= 8 && end <= 1024 && end % 8 == 0 && std::has_single_bit(static_cast<std::uint64_t>(end)));
}

// "from row 3 and column 17 on", "from element 17 on"
std::string from(const map& m, const extents& c) {
  if (m.is_vector()) return fmt::format("from element {} on", c.rows * c.cols);
  if (c.rows == m.size.rows) return fmt::format("from column {} on", c.cols);
  if (c.cols == m.size.cols) return fmt::format("from row {} on", c.rows);
  return fmt::format("from row {} and column {} on", c.rows, c.cols);
}

// Everything is right up to a corner, and nothing beyond it.
diagnoses corner_patterns(const map& m, const extents& c) {
  const auto where = from(m, c);
  diagnoses all;
  if (c.rows + 1 >= m.size.rows && c.cols + 1 >= m.size.cols && m.total() > 2)
    all.push_back({diagnosis_kind::last_element,
                   fmt::format("Only the last element, row or column of `{}` is wrong, {}: a guard or "
                               "a loop stops one too early.",
                               m.e.name, where)});
  if (whole_blocks(c.rows, m.size.rows) && whole_blocks(c.cols, m.size.cols))
    all.push_back(
        {diagnosis_kind::partial_block,
         fmt::format("Everything is right except the end of `{}`, {}, which the last block fills only in part. "
                     "Is the grid rounded up, and does the guard admit the last elements?",
                     m.e.name, where)});
  if (one_block(c.rows, m.size.rows) && one_block(c.cols, m.size.cols))
    all.push_back({diagnosis_kind::first_block_only,
                   fmt::format("Only one block's worth of `{}` is right; it is wrong {}. Does every index "
                               "contain blockIdx, and has the grid enough blocks?",
                               m.e.name, where)});
  if (all.empty() && m.e.result.untouched * 2 > m.e.result.wrong)
    all.push_back(
        {diagnosis_kind::stops_short,
         fmt::format("Everything is right at first, and nothing is written {}: there are fewer threads than elements, "
                     "and no loop handles the rest.",
                     where)});
  return all;
}

// Whether exactly the elements in the first `rows` rows or the first `cols` columns are wrong.
bool only_first(const map& m, const extents& first) {
  for (std::int64_t i = 0; i < m.total(); ++i)
    if (m.right(i) == (i / m.size.cols < first.rows || i % m.size.cols < first.cols)) return false;
  return true;
}

diagnosis start_missing(const map& m) {
  const bool row = m.size.rows > 1 && only_first(m, {1, 0}), column = m.size.cols > 1 && only_first(m, {0, 1});
  if (!row && !column && !(m.size.rows > 1 && m.size.cols > 1 && only_first(m, {1, 1}))) return {};
  const char* what = m.is_vector() ? "element" : row ? "row" : column ? "column" : "row and column";
  return {diagnosis_kind::off_by_one,
          fmt::format("Only the first {} of `{}` is wrong: does some index begin at 1?", what, m.e.name)};
}

// Whether right and wrong repeat with periods (p, q): nearly every element agrees with the majority of its place, and
// so do most of the right ones, so that a few lucky hits among nothing but wrong elements make no pattern.
bool repeats(const map& m, std::int64_t p, std::int64_t q) {
  std::vector<std::array<std::int64_t, 2>> votes(static_cast<std::size_t>(p * q));
  for (std::int64_t r = 0; r < m.size.rows; ++r)
    for (std::int64_t c = 0; c < m.size.cols; ++c) ++votes[r % p * q + c % q][m.right(r * m.size.cols + c)];
  std::int64_t agree = 0, right_agree = 0, wrong_places = 0;
  for (const auto& [wrong, right] : votes) {
    agree += std::max(wrong, right);
    if (right > wrong) right_agree += right;
    wrong_places += wrong >= right;
  }
  const auto right = m.total() - m.e.result.wrong;
  return wrong_places > 0 && right_agree * 4 >= right * 3 && right > 0 && agree * 20 >= m.total() * 19;
}

constexpr std::int64_t fewest_tiles = 8, fewest_periods = 8;  // fewer could agree by chance

// Whether a period is worth a look at all elements: the first ones do not speak against it.
bool may_repeat(const map& m, std::int64_t k) {
  const auto enough = std::min<std::int64_t>(m.total(), 16 * 1024);
  std::vector<std::array<std::int64_t, 2>> votes(static_cast<std::size_t>(k));
  for (std::int64_t i = 0, place = 0; i < enough; ++i, place = place + 1 < k ? place + 1 : 0)
    ++votes[place][m.right(i)];
  std::int64_t agree = 0;
  bool some_right = false;
  for (const auto& [wrong, right] : votes) {
    agree += std::max(wrong, right);
    some_right = some_right || right > wrong;
  }
  return some_right && agree * 10 >= enough * 9;
}

diagnosis comb(const map& m) {
  const bool column = m.size.cols == 1;
  for (std::int64_t k = 2; k <= 1024 && fewest_periods * k <= m.total(); ++k)
    if (may_repeat(m, k) && (column ? repeats(m, k, 1) : repeats(m, 1, k)))
      return {diagnosis_kind::every_kth,
              fmt::format("Right and wrong elements alternate with a period of {}: some threads of every "
                          "block, or some elements of every thread, are left out.",
                          k)};
  return {};
}

diagnosis tiles(const map& m) {
  for (const std::int64_t t : {2, 4, 8, 16, 32, 64}) {
    if (m.size.rows < t || m.size.cols < t || m.total() < fewest_tiles * t * t || !repeats(m, t, t)) continue;
    if (t <= 4)
      return {diagnosis_kind::every_kth, fmt::format("Right and wrong alternate every {} rows or columns.", t)};
    if (m.e.result.untouched * 2 > m.e.result.wrong)
      return {diagnosis_kind::tile_holes,
              fmt::format("The same elements of every {0} x {0} tile are never written. Does each thread "
                          "handle all elements that it owns?",
                          t)};
    return {
        diagnosis_kind::missing_barrier,
        fmt::format("The same elements of every {0} x {0} tile are wrong. Do threads read shared memory before others "
                    "write it? Is a __syncthreads() missing, a zero at the edge, or is a store's index another's?",
                    t)};
  }
  return {};
}

}  // namespace

diagnoses by_position(const mismatch& e) {
  const map m{e, as_matrix(e.shape)};
  if (m.total() < 4) return {};
  if (const auto corner = right_corner(m)) return corner_patterns(m, *corner);
  if (m.e.result.wrong == 1 && !m.right(m.total() - 1)) return corner_patterns(m, {m.size.rows, m.size.cols - 1});
  if (auto d = start_missing(m)) return {d};
  const auto d = m.is_vector() ? comb(m) : tiles(m);
  return d ? diagnoses{d} : diagnoses{};
}

}  // namespace lab::judge
