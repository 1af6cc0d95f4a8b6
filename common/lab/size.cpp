#include "lab/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace lab {

std::string problem_size::name() const { return fmt::format("{}", fmt::join(extents_, "x")); }

std::optional<problem_size> problem_size::parse(std::string_view text) {
  std::vector<int> extents;
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    int extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc{} || extent < 1) return std::nullopt;
    extents.push_back(extent);
    at = next;
    if (at == end) return problem_size{std::move(extents)};
    if (*at != 'x') return std::nullopt;
  }
}

}  // namespace lab
