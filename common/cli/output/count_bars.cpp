#include "cli/output/count_bars.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "text/wrap.hpp"
#include "trace/gates.hpp"

namespace lab::cli {

namespace {

using judge::counted_metrics;
using judge::kernel_counts;

constexpr std::size_t indent = 4, least_bar = 4, most_bar = 48;

struct bar {
  std::string name;
  double value;
};

// Rounded up, so that a count other than 0 has a bar.
std::string drawn(double value, double most, std::size_t columns) {
  return std::string(static_cast<std::size_t>(std::ceil(value / most * static_cast<double>(columns))), '#');
}

std::string chart(std::string_view title, const std::vector<bar>& bars, std::size_t names, std::size_t width) {
  const double most = std::ranges::max(bars, {}, &bar::value).value;
  const auto digits = fmt::format("{:.0f}", most).size(), taken = indent + names + digits + 4;
  const auto columns = std::clamp(width > taken ? width - taken : 0, least_bar, most_bar);
  auto text = fmt::format("  {}\n", title);
  for (const auto& one : bars) {
    text += fmt::format("{:{}}{:<{}}  {:>{}.0f}", "", indent, one.name.substr(0, names), names, one.value, digits);
    if (one.value > 0) text += "  " + drawn(one.value, most, columns);
    text += '\n';
  }
  return text;
}

std::vector<bar> bars_of(const std::vector<kernel_counts>& counted, const std::string& own, std::size_t metric) {
  std::vector<bar> bars;
  for (std::size_t i = 1; i < counted.size(); ++i) bars.push_back({counted[i].name, counted[i].all[metric]});
  if (counted.size() == 1 && metric < counted[0].ideal.size()) bars.push_back({"enough", counted[0].ideal[metric]});
  bars.push_back({own, counted[0].all[metric]});
  return bars;
}

bool differ(const std::vector<bar>& bars) {
  return std::ranges::any_of(bars, [&](const bar& one) { return one.value != bars.front().value; });
}

}  // namespace

std::string count_bars(const std::vector<kernel_counts>& counted, const std::string& own, std::size_t width) {
  const std::size_t longest = width > indent + 24 ? width - indent - 20 : 8;
  std::size_t names = 0;
  for (const auto& one : bars_of(counted, own, 0)) names = std::max(names, one.name.size());
  std::string text;
  std::vector<std::string> same;
  for (std::size_t metric = 0; metric < counted_metrics.size(); ++metric) {
    const auto bars = bars_of(counted, own, metric);
    const auto unit = judge::unit_of(counted_metrics[metric]);
    if (differ(bars))
      text += chart(unit, bars, std::min(names, longest), width);
    else if (bars.front().value > 0)
      same.push_back(fmt::format("{} {:.0f}", unit, bars.front().value));
  }
  if (!same.empty())
    text += wrapped(fmt::format("  {}: {}\n", counted.size() > 1 ? "the same for all" : "also", fmt::join(same, ", ")),
                    width);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace lab::cli
