#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

namespace {

// The states of an output as a matrix.
struct state_map {
  const mismatch& e;
  extents size;
  bool right(std::int64_t i) const { return e.result.states[i] == element_state::right; }
  bool is_vector() const { return size.rows == 1 || size.cols == 1; }
  std::int64_t total() const { return e.result.total; }
};

// The rows and columns beyond which nothing is right, if everything before them is right.
std::optional<extents> right_corner(const state_map& map) {
  extents corner{0, 0};
  for (std::int64_t r = 0; r < map.size.rows; ++r)
    for (std::int64_t c = 0; c < map.size.cols; ++c)
      if (map.right(r * map.size.cols + c)) corner = {std::max(corner.rows, r + 1), std::max(corner.cols, c + 1)};
  const auto right = map.total() - map.e.result.wrong;
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
std::string from(const state_map& map, const extents& corner) {
  if (map.is_vector()) return fmt::format("from element {} on", corner.rows * corner.cols);
  if (corner.rows == map.size.rows) return fmt::format("from column {} on", corner.cols);
  if (corner.cols == map.size.cols) return fmt::format("from row {} on", corner.rows);
  return fmt::format("from row {} and column {} on", corner.rows, corner.cols);
}

// "up to row 31"
std::string up_to(const state_map& map, const extents& corner) {
  return corner.rows < map.size.rows ? fmt::format("up to row {}", corner.rows - 1)
                                     : fmt::format("up to column {}", corner.cols - 1);
}

bool rounded_up(std::int64_t end, std::int64_t extent) {
  for (std::int64_t block : {1, 8, 16, 32, 64, 128, 256})
    if (end == (extent + block - 1) / block * block) return true;
  return false;
}

// Whether rows end where, in whole blocks, columns should, or columns where rows should.
bool exchanged(const state_map& map, const extents& corner) {
  if (map.e.shape.size() < 2 || map.is_vector()) return false;
  const bool rows_cut = corner.rows < map.size.rows, cols_cut = corner.cols < map.size.cols;
  return rows_cut != cols_cut &&
         (rows_cut ? rounded_up(corner.rows, map.size.cols) : rounded_up(corner.cols, map.size.rows));
}

// Whether as many bytes are right as there are elements; the last of them may be a part of an element.
bool counts_bytes(const state_map& map, const extents& corner) {
  const auto right = corner.rows * corner.cols, bytes = static_cast<std::int64_t>(bytes_of(map.e.view.type));
  return bytes > 1 && map.total() >= 4 * bytes && right == map.total() / bytes;
}

// Elements that are written, though wrong, have a block and a thread.
diagnosis written_but_wrong(const state_map& map, const std::string& where) {
  return {
      diagnosis_kind::wrong_index,
      fmt::format("Every element of `{}` is written, but {} the values are wrong: threads store there, with a wrong "
                  "index or a wrong sum. What begins there: a thread's second element or patch, a second block?",
                  map.e.name, where)};
}

// Everything is right up to a corner, and nothing beyond it.
diagnoses corner_patterns(const state_map& map, const extents& corner) {
  const auto where = from(map, corner);
  diagnoses all;
  if (map.e.on_host && counts_bytes(map, corner))
    return {wrong_number_of_bytes(
        fmt::format("Only the first 1/{} of `{}` arrived.", bytes_of(map.e.view.type), map.e.name))};
  if (corner.rows + 1 >= map.size.rows && corner.cols + 1 >= map.size.cols && map.total() > 2)
    all.push_back({diagnosis_kind::last_element,
                   fmt::format("Only the last element, row or column of `{}` is wrong, {}: a guard or "
                               "a loop stops one too early.",
                               map.e.name, where)});
  if (all.empty() && !has_values_before(map.e) && map.e.result.untouched * 4 < map.e.result.wrong)
    return {written_but_wrong(map, where)};
  if (whole_blocks(corner.rows, map.size.rows) && whole_blocks(corner.cols, map.size.cols))
    all.push_back(
        {diagnosis_kind::partial_block,
         fmt::format("Everything is right except the end of `{}`, {}, which the last block fills only in part. "
                     "Is the grid rounded up, and does the guard admit the last elements?",
                     map.e.name, where)});
  if (one_block(corner.rows, map.size.rows) && one_block(corner.cols, map.size.cols))
    all.push_back({diagnosis_kind::first_block_only,
                   fmt::format("Only one block's worth of `{}` is right; it is wrong {}. Does every index "
                               "contain blockIdx, and has the grid enough blocks?",
                               map.e.name, where)});
  if (exchanged(map, corner))
    all.push_back({diagnosis_kind::rows_and_columns_swapped,
                   fmt::format("`{}` has {} rows and {} columns, but it is right only {}, as if it had them the other "
                               "way round. Are x and y exchanged in the grid, in the block, in blockIdx or in a guard?",
                               map.e.name, map.size.rows, map.size.cols, up_to(map, corner))});
  if (all.empty() && map.e.result.untouched * 2 > map.e.result.wrong)
    all.push_back(
        {diagnosis_kind::stops_short,
         fmt::format("Everything is right at first, and nothing is written {}: there are fewer threads than elements, "
                     "and no loop handles the rest.",
                     where)});
  return all;
}

// Whether exactly the elements in the first `rows` rows or the first `cols` columns are wrong.
bool only_first(const state_map& map, const extents& first) {
  for (std::int64_t i = 0; i < map.total(); ++i)
    if (map.right(i) == (i / map.size.cols < first.rows || i % map.size.cols < first.cols)) return false;
  return true;
}

diagnosis start_missing(const state_map& map) {
  const bool row = map.size.rows > 1 && only_first(map, {1, 0}), column = map.size.cols > 1 && only_first(map, {0, 1});
  if (!row && !column && !(map.size.rows > 1 && map.size.cols > 1 && only_first(map, {1, 1}))) return {};
  const char* what = map.is_vector() ? "element" : row ? "row" : column ? "column" : "row and column";
  return {diagnosis_kind::off_by_one,
          fmt::format("Only the first {} of `{}` is wrong: does some index begin at 1?", what, map.e.name)};
}

// Whether right and wrong repeat with periods (p, q): nearly every element agrees with the majority of its place, and
// so do most of the right ones, so that a few lucky hits among nothing but wrong elements make no pattern.
bool repeats(const state_map& map, std::int64_t p, std::int64_t q) {
  std::vector<std::array<std::int64_t, 2>> votes(static_cast<std::size_t>(p * q));
  for (std::int64_t r = 0; r < map.size.rows; ++r)
    for (std::int64_t c = 0; c < map.size.cols; ++c) ++votes[r % p * q + c % q][map.right(r * map.size.cols + c)];
  std::int64_t agree = 0, right_agree = 0, wrong_places = 0;
  for (const auto& [wrong, right] : votes) {
    agree += std::max(wrong, right);
    if (right > wrong) right_agree += right;
    wrong_places += wrong >= right;
  }
  const auto right = map.total() - map.e.result.wrong;
  return wrong_places > 0 && right_agree * 4 >= right * 3 && right > 0 && agree * 20 >= map.total() * 19;
}

constexpr std::int64_t fewest_tiles = 8, fewest_periods = 8;  // fewer could agree by chance

// Whether a period is worth a look at all elements: the first ones do not speak against it.
bool may_repeat(const state_map& map, std::int64_t k) {
  const auto enough = std::min<std::int64_t>(map.total(), 16 * 1024);
  std::vector<std::array<std::int64_t, 2>> votes(static_cast<std::size_t>(k));
  for (std::int64_t i = 0, place = 0; i < enough; ++i, place = place + 1 < k ? place + 1 : 0)
    ++votes[place][map.right(i)];
  std::int64_t agree = 0;
  bool some_right = false;
  for (const auto& [wrong, right] : votes) {
    agree += std::max(wrong, right);
    some_right = some_right || right > wrong;
  }
  return some_right && agree * 10 >= enough * 9;
}

diagnosis comb(const state_map& map) {
  const bool column = map.size.cols == 1;
  for (std::int64_t k = 2; k <= 1024 && fewest_periods * k <= map.total(); ++k)
    if (may_repeat(map, k) && (column ? repeats(map, k, 1) : repeats(map, 1, k)))
      return {diagnosis_kind::every_kth,
              fmt::format("Right and wrong elements alternate with a period of {}: some threads of every "
                          "block, or some elements of every thread, are left out.",
                          k)};
  return {};
}

diagnosis tiles(const state_map& map) {
  for (const std::int64_t t : {2, 4, 8, 16, 32, 64}) {
    if (map.size.rows < t || map.size.cols < t || map.total() < fewest_tiles * t * t || !repeats(map, t, t)) continue;
    if (t <= 4)
      return {diagnosis_kind::every_kth,
              fmt::format("Right and wrong alternate every {} rows or columns{}", t,
                          map.e.result.untouched * 2 > map.e.result.wrong
                              ? ", and the wrong elements are never written. Does each thread store all elements that "
                                "it owns, each at its own index?"
                              : ".")};
    if (map.e.result.untouched * 2 > map.e.result.wrong)
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

diagnoses by_position(const mismatch& wrong) {
  const state_map m{wrong, as_matrix(wrong.shape)};
  if (m.total() < 4) return {};
  if (const auto corner = right_corner(m)) return corner_patterns(m, *corner);
  if (m.e.result.wrong == 1 && !m.right(m.total() - 1)) return corner_patterns(m, {m.size.rows, m.size.cols - 1});
  if (auto d = start_missing(m)) return {d};
  const auto d = m.is_vector() ? comb(m) : tiles(m);
  return d ? diagnoses{d} : diagnoses{};
}

}  // namespace lab::judge
