#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "trace/profile.hpp"

namespace lab::judge {

namespace {

using share = std::pair<double, std::string>;  // per cent

constexpr std::string_view of_peak = ".pct_of_peak_sustained_", stalled = "_issue_stalled_";

std::string largest(std::vector<share> all, std::size_t count) {
  std::ranges::sort(all, std::greater{});
  all.resize(std::min(all.size(), count));
  std::string text;
  for (const auto& [percent, name] : all) text += fmt::format("    {:5.1f}  {}\n", percent, name);
  return text;
}

std::string launch_text(const launch& launched) {
  std::vector<share> units, waits;
  double all_waits = 0;
  for (const auto& [name, value] : launched.metrics) {
    if (const auto at = name.find(stalled); at != std::string::npos && name.ends_with(".ratio")) {
      waits.emplace_back(value, name.substr(at + stalled.size(), name.find("_per_") - at - stalled.size()));
      all_waits += waits.back().first;
    } else if (name.find(of_peak) != std::string::npos) {
      units.emplace_back(value, name.substr(0, name.find(of_peak)));
    }
  }
  for (auto& w : waits) w.first *= all_waits > 0 ? 100 / all_waits : 0;
  const auto time = launched.metrics.find("gpu__time_duration.sum");
  return fmt::format("{} <<<({}), ({})>>>, {:.3f} ms\n  busiest units, % of their peak\n{}  its warps' time, %\n{}",
                     launched.kernel, fmt::join(launched.grid, ", "), fmt::join(launched.block, ", "),
                     time == launched.metrics.end() ? 0.0 : time->second / 1e6, largest(units, 8), largest(waits, 4));
}

}  // namespace

std::string limits_text(const profile& counted) {
  auto text = fmt::format("{} {}\n", counted.launcher, counted.size);
  for (const auto& l : counted.report.launches) text += launch_text(l);
  return text;
}

}  // namespace lab::judge
