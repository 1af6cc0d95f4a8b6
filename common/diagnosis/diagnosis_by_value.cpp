#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

namespace {

constexpr std::int64_t fewest = 4;  // with fewer elements anything could be a coincidence

// A shorthand for the numbers of one output.
struct numbers {
  const mismatch& e;
  double actual(std::int64_t i) const { return number_at(e.view.type, e.view.actual, i); }
  double expected(std::int64_t i) const { return number_at(e.view.type, e.view.expected, i); }
  double before(std::int64_t i) const { return number_at(e.view.type, e.view.before, i); }
  std::int64_t total() const { return e.result.total; }
  bool touched(std::int64_t i) const { return e.result.states[i] != element_state::untouched; }
};

// Where a rule says nothing.
constexpr double silent = std::numeric_limits<double>::quiet_NaN();

// Whether the rule gives the actual value of nearly every written element that it speaks of, the wrong ones as well as
// the right, and whether these are enough to mean something.
bool explains(const numbers& n, const std::function<double(std::int64_t)>& rule) {
  const auto& r = n.e.result;
  const std::int64_t most[2] = {n.total() - r.wrong, r.wrong};
  std::int64_t missed[2] = {}, all[2] = {};  // of the right ones, of the wrong ones
  for (std::int64_t i = 0; i < n.total(); ++i) {
    const double predicted = n.touched(i) ? rule(i) : silent;
    if (std::isnan(predicted)) continue;
    const double slack = is_floating(n.e.view.type) ? 1e-5 * std::abs(predicted) : 0.5;
    const bool wrong = r.states[i] == element_state::wrong;
    ++all[wrong];
    if (std::abs(n.actual(i) - predicted) <= slack) continue;
    if (++missed[wrong] * 20 > most[wrong]) return false;  // whatever follows: large arrays take long
  }
  const bool nearly_all = missed[0] * 20 <= all[0] && missed[1] * 20 <= all[1];
  return nearly_all && all[1] - missed[1] >= fewest && (all[0] + all[1]) * 2 > n.total();
}

diagnosis nan(const numbers& n) {
  std::int64_t nans = 0, wrong = 0;
  for (std::int64_t i = 0; i < n.total(); ++i) {
    if (n.e.result.states[i] != element_state::wrong) continue;
    ++wrong;
    nans += std::isnan(n.actual(i));
  }
  if (nans == 0 || nans * 2 < wrong) return {};
  return {diagnosis_kind::nan,
          fmt::format("{} elements are NaN: a division by zero, or a read of uninitialised memory.", nans)};
}

diagnosis zeros(const numbers& n) {
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < n.total(); ++i) {
    if (!n.touched(i) || n.actual(i) != 0) return {};
    wanted += n.expected(i) != 0;
  }
  if (wanted < fewest) return {};
  return {diagnosis_kind::zeros,
          fmt::format("Every element of `{}` is 0: the stored value was never computed, or its inputs "
                      "were never filled.",
                      n.e.name)};
}

diagnosis echo(const numbers& n) {
  for (std::size_t p = 0; p < n.e.given.size(); ++p) {
    const auto& input = n.e.given[p];
    if (input.role != parameter_role::input || count(input.shape) != n.total()) continue;
    if (explains(n, [&](std::int64_t i) { return number_at(input.type, input.bytes, i); }))
      return {diagnosis_kind::echo,
              fmt::format("`{}` is a copy of `{}`, each element at its old index.", n.e.name, n.e.parameters.at(p))};
  }
  return {};
}

diagnosis swapped(const numbers& n) {
  const auto [rows, cols] = as_matrix(n.e.shape);
  if (rows < 2 || cols < 2) return {};
  if (!explains(n, [&, rows = rows, cols = cols](std::int64_t i) { return n.expected(i % rows * cols + i / rows); }))
    return {};
  return {diagnosis_kind::rows_and_columns_swapped,
          fmt::format("`{}` would be right if its rows and columns changed places. Which "
                      "index is multiplied by the length of a row?",
                      n.e.name)};
}

// Row and column swapped inside every tile, or tiles that stand in each other's place.
diagnosis swapped_tiles(const numbers& n) {
  const auto [rows, cols] = as_matrix(n.e.shape);
  const auto element = [&, rows = rows, cols = cols](std::int64_t r, std::int64_t c) {
    return r < rows && c < cols ? n.expected(r * cols + c) : silent;
  };
  for (const std::int64_t t : {32, 16, 8}) {
    if (rows < t || cols < t) continue;
    const auto inside = [&, cols = cols](std::int64_t i) {
      const auto r = i / cols, c = i % cols;
      return element(r / t * t + c % t, c / t * t + r % t);
    };
    const auto between = [&, cols = cols](std::int64_t i) {
      const auto r = i / cols, c = i % cols;
      return element(c / t * t + r % t, r / t * t + c % t);
    };
    if (explains(n, inside))
      return {diagnosis_kind::rows_and_columns_swapped,
              fmt::format("Every {0} x {0} tile is in its place, but inside it rows and columns are swapped.", t)};
    if (explains(n, between))
      return {diagnosis_kind::rows_and_columns_swapped,
              fmt::format("Every {0} x {0} tile is right inside, but two tiles have changed places: swap the block's "
                          "row and column as well.",
                          t)};
  }
  return {};
}

diagnosis shifted(const numbers& n) {
  const auto [rows, cols] = as_matrix(n.e.shape);
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, cols, -cols}) {
    const auto from = [&](std::int64_t i) { return i + step; };
    const bool fits =
        explains(n, [&](std::int64_t i) { return from(i) < 0 || from(i) >= n.total() ? silent : n.expected(from(i)); });
    if (!fits || (rows < 2 && std::abs(step) != 1)) continue;
    const char* unit = std::abs(step) == 1 ? "element" : "row";
    return {diagnosis_kind::off_by_one, fmt::format("Everything is shifted: each element of `{}` belongs one {} {}.",
                                                    n.e.name, unit, step > 0 ? "later" : "earlier")};
  }
  return {};
}

diagnosis factor(const numbers& n) {
  std::int64_t i = n.e.result.first;
  while (i < n.total() && (n.e.result.states[i] != element_state::wrong || n.expected(i) == 0)) ++i;
  if (i == n.total()) return {};
  const double ratio = n.actual(i) / n.expected(i);
  const bool telling = std::isfinite(ratio) && ratio != 0 && std::abs(ratio - 1) > 1e-3;
  if (!telling || !explains(n, [&](std::int64_t k) { return ratio * n.expected(k); })) return {};
  return {diagnosis_kind::constant_factor, fmt::format("Every element is {:.6g} times its right value.", ratio)};
}

diagnosis offset(const numbers& n) {
  std::int64_t i = n.e.result.first;
  while (i < n.total() && n.e.result.states[i] != element_state::wrong) ++i;
  if (i == n.total()) return {};
  const double off = n.actual(i) - n.expected(i);
  if (!std::isfinite(off) || !explains(n, [&](std::int64_t k) { return n.expected(k) + off; })) return {};
  return {diagnosis_kind::constant_offset,
          fmt::format("Every element is off by the same {:.6g}. Does the sum start at zero?", off)};
}

// Integers wrap around.
double wrapped(const numbers& n, double sum) {
  if (n.e.view.type != element::i32) return sum;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

diagnosis added(const numbers& n) {
  if (!explains(n, [&](std::int64_t i) { return wrapped(n, n.before(i) + n.expected(i)); })) return {};
  return {diagnosis_kind::adds_to_output,
          fmt::format("The result was added to what `{}` held before the call. New memory holds arbitrary values: "
                      "start from zero.",
                      n.e.name)};
}

diagnosis rounding(const numbers& n) {
  if (!is_floating(n.e.view.type)) return {};
  for (std::int64_t i = 0; i < n.total(); ++i) {
    const double expected = n.expected(i);
    if (n.e.result.states[i] == element_state::right) continue;
    if (!(std::abs(n.actual(i) - expected) <= 0.01 * std::abs(expected) + 1e-4)) return {};
  }
  return {diagnosis_kind::rounding,
          "Every wrong element is within one percent of its right value: the precision is too low, or a "
          "small term is missing."};
}

}  // namespace

diagnoses by_value(const mismatch& e) {
  const numbers n{e};
  for (const auto& pattern : {nan, zeros, echo, swapped, swapped_tiles, added, shifted, factor, offset, rounding})
    if (auto d = pattern(n)) return {d};
  return {};
}

}  // namespace lab::judge
