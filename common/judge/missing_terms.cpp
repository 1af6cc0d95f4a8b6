#include "judge/missing_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "judge/compare.hpp"

namespace lab::judge {

namespace {

constexpr double most_operations = 1e6;         // of one call of the reference
constexpr std::int64_t most_elements = 70'000;  // of all arrays
constexpr std::int64_t fewest_outputs = 4;      // fewer may agree by chance

// The elements first <= index < end of an input along one of its axes; axes() stands for the array as one row.
struct part {
  std::size_t axis;
  std::int64_t first, end, extent;
};

std::int64_t extent_of(const array_shape& shape, std::size_t axis) {
  return axis < shape.size() ? shape[axis] : count(shape);
}

// Loops stop short by one term, at a multiple of a usual block, or after the first block. A copy of as many bytes as
// there are elements brings a quarter.
std::vector<part> parts_along(const array_shape& shape, std::size_t axis) {
  const std::int64_t extent = extent_of(shape, axis);
  if (extent < 2) return {};
  std::vector<std::int64_t> ends{extent - 1};
  if (extent >= 4) ends.push_back(extent / 4);
  if (axis < shape.size())
    for (const std::int64_t block : {512, 256, 128, 64, 32, 16, 8})
      if (block < extent) ends.insert(ends.end(), {(extent - 1) / block * block, block});
  std::ranges::sort(ends, std::greater{});
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<part> all{{axis, 1, extent, extent}, {axis, extent - 1, extent, extent}};
  for (const auto end : ends) all.push_back({axis, 0, end, extent});
  return all;
}

// A vector is one axis; a matrix has two, and its first and its last element may be left out alone.
std::vector<part> parts_of(const array_shape& shape) {
  std::vector<part> all;
  for (std::size_t axis = 0; axis < shape.size() + (shape.size() > 1); ++axis) {
    const auto more = parts_along(shape, axis);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// Zeros outside of the part: they add nothing to a sum.
void keep_only(argument& input, const part& kept) {
  std::int64_t below = 1;  // elements from one index of the axis to the next
  for (auto axis = kept.axis + 1; axis < input.shape.size(); ++axis) below *= input.shape[axis];
  const auto bytes = bytes_of(input.type);
  for (std::int64_t i = 0; i < count(input.shape); ++i) {
    const auto index = i / below % kept.extent;
    if (index < kept.first || index >= kept.end)
      std::memset(input.bytes.data() + static_cast<std::size_t>(i) * bytes, 0, bytes);
  }
}

bool explains(const launcher_spec& launcher, const mismatch& wrong, std::size_t parameter, const tolerance& allow,
              arguments given) {
  allocate_outputs(given);
  launcher.reference(given);
  auto view = wrong.view;
  view.expected = given[parameter].bytes;
  return compare(view, allow).wrong == 0;
}

std::string_view unit_of(const array_shape& shape, std::size_t axis) {
  if (shape.size() != 2 || axis >= shape.size()) return axis == 0 || axis >= shape.size() ? "element" : "layer";
  return axis == 0 ? "row" : "column";
}

diagnosis found(const mismatch& wrong, std::size_t input, const part& kept) {
  const auto unit = unit_of(wrong.given[input].shape, kept.axis);
  if (kept.first > 0 && kept.first + 1 == kept.end && kept.extent > 2)
    return {diagnosis_kind::missing_terms,
            fmt::format("`{}` is the right result for `{}` with only the last of {} {}s: each step replaces the sum in "
                        "place of adding to it. Is there = where += belongs?",
                        wrong.name, wrong.parameters.at(input), kept.extent, unit),
            "", true};
  std::string which = fmt::format("with only the first {} of {} {}s", kept.end, kept.extent, unit);
  if (kept.end == 1) which = fmt::format("with only the first of {} {}s", kept.extent, unit);
  if (kept.end + 1 == kept.extent) which = fmt::format("without the last {}", unit);
  if (kept.first == 1) which = fmt::format("without the first {}", unit);
  return {diagnosis_kind::missing_terms,
          fmt::format("`{}` is the right result for `{}` {}: terms of the sums are missing. Where does the loop over "
                      "the terms begin and end, and by how much does it step?",
                      wrong.name, wrong.parameters.at(input), which),
          "", true};
}

bool small(const arguments& all) {
  std::int64_t elements = 0;
  for (const auto& one : all) elements += one.role == parameter_role::scalar ? 0 : count(one.shape);
  return elements <= most_elements;
}

bool quick_and_telling(const mismatch& wrong, double operations) {
  return operations <= most_operations && small(wrong.given) && is_floating(wrong.view.type) &&
         wrong.result.total >= fewest_outputs;
}

void transpose(argument& square) {
  const auto n = square.shape[0], bytes = static_cast<std::int64_t>(bytes_of(square.type));
  const auto at = [&](std::int64_t row, std::int64_t col) { return square.bytes.data() + (row * n + col) * bytes; };
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t col = 0; col < row; ++col) std::swap_ranges(at(row, col), at(row, col) + bytes, at(col, row));
}

// Where all wrong elements are 0, no thread computed them; that is not a sum without some of its terms.
bool sums_of_something(const mismatch& wrong) {
  std::int64_t nonzero = 0;
  for (std::int64_t i = 0; i < wrong.result.total; ++i)
    nonzero += wrong.result.states[i] == element_state::wrong && number_at(wrong.view.type, wrong.view.actual, i) != 0;
  return nonzero * 2 >= wrong.result.wrong;
}

}  // namespace

std::optional<diagnosis> missing_terms(const launcher_spec& launcher, const mismatch& wrong, std::size_t parameter,
                                       const tolerance& allow, double operations) {
  if (!quick_and_telling(wrong, operations)) return std::nullopt;
  if (!sums_of_something(wrong)) return std::nullopt;
  for (std::size_t p = 0; p < wrong.given.size(); ++p) {
    const auto& input = wrong.given[p];
    if (input.role != parameter_role::input || !is_floating(input.type)) continue;
    for (const auto& kept : parts_of(input.shape)) {
      auto given = wrong.given;
      keep_only(given[p], kept);
      if (explains(launcher, wrong, parameter, allow, std::move(given))) return found(wrong, p, kept);
    }
  }
  return std::nullopt;
}

std::optional<diagnosis> transposed_input(const launcher_spec& launcher, const mismatch& wrong, std::size_t parameter,
                                          const tolerance& allow, double operations) {
  if (!quick_and_telling(wrong, operations)) return std::nullopt;
  for (std::size_t p = 0; p < wrong.given.size(); ++p) {
    const auto& shape = wrong.given[p].shape;
    if (wrong.given[p].role != parameter_role::input || shape.size() != 2 || shape[0] != shape[1]) continue;
    auto given = wrong.given;
    transpose(given[p]);
    if (explains(launcher, wrong, parameter, allow, std::move(given)))
      return diagnosis{diagnosis_kind::rows_and_columns_swapped,
                       fmt::format("`{}` is the right result for the transpose of `{}`: the row and the column of its "
                                   "element are exchanged. The row is multiplied by the length of a row.",
                                   wrong.name, wrong.parameters.at(p)),
                       "", true};
  }
  return std::nullopt;
}

}  // namespace lab::judge
