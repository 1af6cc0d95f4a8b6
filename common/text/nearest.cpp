#include "text/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lab {

namespace {

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view mistyped, const std::vector<std::string>& words) {
  std::string best;
  std::size_t least = 0;
  for (const auto& word : words) {
    if (mistyped.size() > 2 * word.size()) continue;  // too far away, and a long text would take long
    const auto d = distance(mistyped, word);
    if (3 * d > std::max<std::size_t>(word.size(), 3) || (!best.empty() && d >= least)) continue;
    best = word;
    least = d;
  }
  return best;
}

std::string did_you_mean(std::string_view mistyped, const std::vector<std::string>& words) {
  const auto word = nearest(mistyped, words);
  return word.empty() ? "" : fmt::format("; did you mean \"{}\"?", word);
}

}  // namespace lab
