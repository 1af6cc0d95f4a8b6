#include "diagnosis/mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lab::judge {

bool has_values_before(const mismatch& wrong) {
  const auto at = std::ranges::find(wrong.parameters, wrong.name);
  const auto p = static_cast<std::size_t>(at - wrong.parameters.begin());
  return p < wrong.given.size() && wrong.given[p].role == parameter_role::in_out;
}

extents as_matrix(const array_shape& shape) {
  if (shape.empty()) return {};
  return {count(array_shape(shape.begin(), shape.end() - 1)), shape.back()};
}

double number_at(element type, std::span<const std::byte> array, std::int64_t index) {
  return with_element(type, [&](auto zero) { return static_cast<double>(load_element<decltype(zero)>(array, index)); });
}

std::string text_at(element type, std::span<const std::byte> array, std::int64_t index) {
  return with_element(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      return fmt::format("{:.9g}", load_element<T>(array, index));
    else
      return fmt::format("{}", static_cast<std::int64_t>(load_element<T>(array, index)));
  });
}

}  // namespace lab::judge
