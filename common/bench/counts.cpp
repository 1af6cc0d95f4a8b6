#include "bench/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trace/gates.hpp"

namespace lab::judge {

namespace {

constexpr double worth_telling = 1.05;

// How many times as much `more` is; infinite if `less` is nothing.
double ratio(double more, double less) {
  if (more <= 0) return 0;
  return less > 0 ? more / less : std::numeric_limits<double>::infinity();
}

// The index of the metric with the largest ratio from `less` to `more`; memory traffic goes before all others.
std::optional<std::size_t> largest(const counts& more, const counts& less) {
  const auto best_of = [&](std::size_t first, std::size_t end) {
    std::optional<std::size_t> best;
    for (auto i = first; i < end; ++i) {
      const auto own = ratio(more[i], less[i]);
      if (own >= worth_telling && (!best || own > ratio(more[*best], less[*best]))) best = i;
    }
    return best;
  };
  const auto memory = best_of(0, memory_metrics);
  return memory ? memory : best_of(memory_metrics, more.size());
}

// "8 times fewer sectors stored than 02_transpose_naive (768 instead of 6144)"
std::string compared(std::size_t metric, const char* word, const kernel_counts& before, const kernel_counts& after,
                     const std::string& than) {
  const double from = before.all[metric], to = after.all[metric];
  const auto unit = unit_of(counted_metrics[metric]);
  return fmt::format("{:.3g} times {} {}{} ({:.0f} instead of {:.0f})", std::max(from, to) / std::min(from, to), word,
                     unit, than, to, from);
}

std::string gained(std::size_t metric, const kernel_counts& before, const kernel_counts& after) {
  if (after.all[metric] > 0) return compared(metric, "fewer", before, after, " than " + before.name);
  return fmt::format("no {}, and {} has {:.0f}", unit_of(counted_metrics[metric]), before.name, before.all[metric]);
}

std::string paid(std::size_t metric, const kernel_counts& before, const kernel_counts& after) {
  if (before.all[metric] > 0) return ", but " + compared(metric, "more", before, after, "");
  return fmt::format(", at the price of {:.0f} {}", after.all[metric], unit_of(counted_metrics[metric]));
}

}  // namespace

kernel_counts count(std::string name, const trace_report& report) {
  kernel_counts result{.name = std::move(name)};
  for (std::size_t i = 0; i < counted_metrics.size(); ++i) result.all[i] = counted(counted_metrics[i], report);
  if (!report.launches.empty()) result.occupancy = std::ranges::min(report.launches, {}, &launch::occupancy).occupancy;
  for (const auto& one : report.launches)
    for (const auto& line : one.lines) {
      if (line.is("load", "global")) result.ideal[0] += static_cast<double>(line.sectors_ideal);
      if (line.is("store", "global")) result.ideal[1] += static_cast<double>(line.sectors_ideal);
      if (line.space == "shared") result.ideal[2] += static_cast<double>(line.wavefronts_ideal);
    }
  return result;
}

std::string what_changed(const kernel_counts& before, const kernel_counts& after) {
  const auto gain = largest(before.all, after.all), price = largest(after.all, before.all);
  if (!gain && !price) return fmt::format("This kernel and {} have the same counts, within 5%.", before.name);
  if (gain)
    return fmt::format("This kernel has {}{}.", gained(*gain, before, after), price ? paid(*price, before, after) : "");
  if (before.all[*price] > 0)
    return fmt::format("This kernel has {}.", compared(*price, "more", before, after, " than " + before.name));
  return fmt::format("This kernel has {:.0f} {}, and {} has none.", after.all[*price], unit_of(counted_metrics[*price]),
                     before.name);
}

std::string what_is_wasted(const kernel_counts& one) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < one.ideal.size(); ++i)
    if (ratio(one.all[i], one.ideal[i]) > ratio(one.all[worst], one.ideal[worst])) worst = i;
  if (ratio(one.all[worst], one.ideal[worst]) < worth_telling)
    return "Each memory request has its minimum cost; only fewer requests reduce the traffic.";
  return fmt::format("This kernel has {:.0f} {}; {:.0f} are enough for the bytes that its requests ask for.",
                     one.all[worst], unit_of(counted_metrics[worst]), one.ideal[worst]);
}

nlohmann::json to_json(const kernel_counts& one) {
  auto document = nlohmann::json::object();
  for (std::size_t i = 0; i < one.all.size(); ++i)
    document[std::string{word(counted_metrics[i])}] = std::llround(one.all[i]);
  for (std::size_t i = 0; i < one.ideal.size(); ++i)
    document[std::string{word(counted_metrics[i])} + "_ideal"] = std::llround(one.ideal[i]);
  return document;
}

}  // namespace lab::judge
