#include "lab/verdict.hpp"

#include <algorithm>

namespace lab {

std::optional<verdict_kind> verdict_from(std::string_view word) {
  const auto at = std::ranges::find(verdict_words, word);
  if (at == std::end(verdict_words)) return std::nullopt;
  return static_cast<verdict_kind>(at - std::begin(verdict_words));
}

}  // namespace lab
