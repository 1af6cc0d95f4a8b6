#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

namespace {

constexpr std::int64_t fewest = 4;  // with fewer elements anything could be a coincidence

// A shorthand for the numbers of one output.
struct output_numbers {
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
bool explains(const output_numbers& numbers, const std::function<double(std::int64_t)>& rule) {
  const auto& r = numbers.e.result;
  const std::int64_t most[2] = {numbers.total() - r.wrong, r.wrong};
  std::int64_t missed[2] = {}, all[2] = {};  // of the right ones, of the wrong ones
  for (std::int64_t i = 0; i < numbers.total(); ++i) {
    const double predicted = numbers.touched(i) ? rule(i) : silent;
    if (std::isnan(predicted)) continue;
    const double slack = is_floating(numbers.e.view.type) ? 1e-5 * std::abs(predicted) : 0.5;
    const bool wrong = r.states[i] == element_state::wrong;
    ++all[wrong];
    if (std::abs(numbers.actual(i) - predicted) <= slack) continue;
    if (++missed[wrong] * 20 > most[wrong]) return false;  // the rest cannot save the rule, and large arrays take long
  }
  const bool nearly_all = missed[0] * 20 <= all[0] && missed[1] * 20 <= all[1];
  return nearly_all && all[1] - missed[1] >= fewest && (all[0] + all[1]) * 2 > numbers.total();
}

diagnosis holds_nan(const output_numbers& numbers) {
  std::int64_t nans = 0, wrong = 0;
  for (std::int64_t i = 0; i < numbers.total(); ++i) {
    if (numbers.e.result.states[i] != element_state::wrong) continue;
    ++wrong;
    nans += std::isnan(numbers.actual(i));
  }
  if (nans == 0 || nans * 2 < wrong) return {};
  return {
      diagnosis_kind::nan,
      fmt::format("{} elements are NaN: a division by zero, an overflow, such as exp() of a large number, or a read of "
                  "uninitialised memory.",
                  nans)};
}

diagnosis holds_zeros(const output_numbers& numbers) {
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < numbers.total(); ++i) {
    if (!numbers.touched(i) || numbers.actual(i) != 0) return {};
    wanted += numbers.expected(i) != 0;
  }
  if (wanted < fewest) return {};
  return {
      diagnosis_kind::zeros,
      fmt::format(
          "Every element of `{}` is 0. Either its value was never computed, or a sum has = in place of += and keeps "
          "its last term only, or the inputs were never filled.",
          numbers.e.name)};
}

diagnosis is_echo(const output_numbers& numbers) {
  for (std::size_t p = 0; p < numbers.e.given.size(); ++p) {
    const auto& input = numbers.e.given[p];
    if (input.role != parameter_role::input || count(input.shape) != numbers.total()) continue;
    if (explains(numbers, [&](std::int64_t i) { return number_at(input.type, input.bytes, i); }))
      return {diagnosis_kind::echo, fmt::format("`{}` is a copy of `{}`, each element at its old index.",
                                                numbers.e.name, numbers.e.parameters.at(p))};
  }
  return {};
}

diagnosis is_swapped(const output_numbers& numbers) {
  const auto [rows, cols] = as_matrix(numbers.e.shape);
  if (rows < 2 || cols < 2) return {};
  if (!explains(numbers,
                [&, rows = rows, cols = cols](std::int64_t i) { return numbers.expected(i % rows * cols + i / rows); }))
    return {};
  return {diagnosis_kind::rows_and_columns_swapped,
          fmt::format("`{}` would be right if its rows and columns changed places. Which "
                      "index is multiplied by the length of a row?",
                      numbers.e.name)};
}

// Row and column swapped inside every tile, or tiles that stand in each other's place.
diagnosis has_swapped_tiles(const output_numbers& numbers) {
  const auto [rows, cols] = as_matrix(numbers.e.shape);
  const auto element = [&, rows = rows, cols = cols](std::int64_t r, std::int64_t c) {
    return r < rows && c < cols ? numbers.expected(r * cols + c) : silent;
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
    if (explains(numbers, inside))
      return {diagnosis_kind::rows_and_columns_swapped,
              fmt::format("Every {0} x {0} tile is in its place, but inside it rows and columns are swapped.", t)};
    if (explains(numbers, between))
      return {diagnosis_kind::rows_and_columns_swapped,
              fmt::format("Every {0} x {0} tile is right inside, but two tiles have changed places: swap the block's "
                          "row and column as well.",
                          t)};
  }
  return {};
}

diagnosis is_shifted(const output_numbers& numbers) {
  const auto [rows, cols] = as_matrix(numbers.e.shape);
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, cols, -cols}) {
    const auto from = [&](std::int64_t i) { return i + step; };
    const bool fits = explains(numbers, [&](std::int64_t i) {
      return from(i) < 0 || from(i) >= numbers.total() ? silent : numbers.expected(from(i));
    });
    if (!fits || (rows < 2 && std::abs(step) != 1)) continue;
    const char* unit = std::abs(step) == 1 ? "element" : "row";
    return {diagnosis_kind::off_by_one, fmt::format("Everything is shifted: each element of `{}` belongs one {} {}.",
                                                    numbers.e.name, unit, step > 0 ? "later" : "earlier")};
  }
  return {};
}

diagnosis has_factor(const output_numbers& numbers) {
  std::int64_t i = numbers.e.result.first;
  while (i < numbers.total() && (numbers.e.result.states[i] != element_state::wrong || numbers.expected(i) == 0)) ++i;
  if (i == numbers.total()) return {};
  const double ratio = numbers.actual(i) / numbers.expected(i);
  const bool telling = std::isfinite(ratio) && ratio != 0 && std::abs(ratio - 1) > 1e-3;
  if (!telling || !explains(numbers, [&](std::int64_t k) { return ratio * numbers.expected(k); })) return {};
  const bool several = ratio >= 2 && ratio == std::floor(ratio);
  return {diagnosis_kind::constant_factor,
          fmt::format("Every element is {:.6g} times its right value{}", ratio,
                      several ? fmt::format(": is the same value added {} times?", ratio) : ".")};
}

diagnosis has_offset(const output_numbers& numbers) {
  std::int64_t i = numbers.e.result.first;
  while (i < numbers.total() && numbers.e.result.states[i] != element_state::wrong) ++i;
  if (i == numbers.total()) return {};
  const double off = numbers.actual(i) - numbers.expected(i);
  if (!std::isfinite(off) || !explains(numbers, [&](std::int64_t k) { return numbers.expected(k) + off; })) return {};
  return {diagnosis_kind::constant_offset,
          fmt::format("Every element is off by the same {:.6g}. Does the sum start at zero?", off)};
}

// Integers wrap around.
double wrapped(const output_numbers& numbers, double sum) {
  if (numbers.e.view.type != element::i32) return sum;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

diagnosis is_added(const output_numbers& numbers) {
  if (!explains(numbers, [&](std::int64_t i) { return wrapped(numbers, numbers.before(i) + numbers.expected(i)); }))
    return {};
  return {diagnosis_kind::adds_to_output,
          fmt::format("The result was added to what `{}` held before the call. New memory holds arbitrary values: "
                      "start from zero.",
                      numbers.e.name)};
}

// A fill before the additions got the number of elements for its bytes. The last element of its part may be half
// filled.
diagnosis is_added_beyond_a_fill(const output_numbers& numbers) {
  const auto bytes = static_cast<std::int64_t>(bytes_of(numbers.e.view.type)), filled = numbers.total() / bytes;
  if (bytes == 1 || filled < fewest || numbers.e.on_host) return {};
  for (std::int64_t i = 0; i < numbers.total(); ++i) {
    const double sum = wrapped(numbers, numbers.before(i) + numbers.expected(i));
    const bool as_filled = numbers.e.result.states[i] == element_state::right, as_added = numbers.actual(i) == sum;
    if (i < filled ? !as_filled : i > filled && !as_added) return {};
  }
  auto why = wrong_number_of_bytes(
      fmt::format("Only the first 1/{} of `{}` was filled before values were added to it.", bytes, numbers.e.name));
  why.exact = true;
  return why;
}

diagnosis has_rounding(const output_numbers& numbers) {
  if (!is_floating(numbers.e.view.type)) return {};
  // A sum of terms that cancel may be far off by its own measure; few of many are.
  std::int64_t far = 0;
  for (std::int64_t i = 0; i < numbers.total(); ++i) {
    const double expected = numbers.expected(i);
    if (numbers.e.result.states[i] == element_state::right) continue;
    if (numbers.e.result.states[i] == element_state::untouched) return {};  // close by chance: nothing was computed
    if (!(std::abs(numbers.actual(i) - expected) <= 0.01 * std::abs(expected)) && ++far * 20 > numbers.e.result.wrong)
      return {};
  }
  const auto close = numbers.e.result.wrong - far;
  const auto which = far == 0 ? "Every wrong element is within one percent of its right value"
                              : fmt::format(
                                    "{} of the {} wrong elements are within one percent of their right values, "
                                    "and the others are farther off",
                                    close, numbers.e.result.wrong);
  return {diagnosis_kind::rounding, which + ": the precision is too low, or a small term is missing."};
}

}  // namespace

diagnoses by_value(const mismatch& wrong) {
  const output_numbers n{wrong};
  for (const auto& pattern : {holds_nan, holds_zeros, is_echo, is_swapped, has_swapped_tiles, is_added_beyond_a_fill,
                              is_added, is_shifted, has_factor, has_offset, has_rounding})
    if (auto d = pattern(n)) return {d};
  return {};
}

}  // namespace lab::judge
