#include "trace/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "diagnosis/explanation.hpp"
#include "text/plain_number.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

extern const std::string_view metrics_markdown;  // metrics.md

namespace {

// Whose counts make up a metric.
enum class counted_over { worst_access, all_accesses, launches };

// How a metric is counted and shown, and the diagnosis of a kernel beyond its limits.
struct measure_of {
  traffic metric;
  counted_over what;
  std::string_view op, space, unit;
  diagnosis_kind diagnosis;
};

constexpr std::array known{
    measure_of{traffic::load_sectors_per_request, counted_over::worst_access, "load", "global",
               "sectors per load request", diagnosis_kind::uncoalesced},
    measure_of{traffic::store_sectors_per_request, counted_over::worst_access, "store", "global",
               "sectors per store request", diagnosis_kind::uncoalesced},
    measure_of{traffic::bank_conflicts, counted_over::all_accesses, "", "shared", "bank conflicts",
               diagnosis_kind::bank_conflicts},
    measure_of{traffic::shared_requests, counted_over::all_accesses, "", "shared", "requests of shared memory",
               diagnosis_kind::wasted_work},
    measure_of{traffic::shared_wavefronts, counted_over::all_accesses, "", "shared", "wavefronts of shared memory",
               diagnosis_kind::redundant_loads},
    measure_of{traffic::load_requests, counted_over::all_accesses, "load", "global", "load requests",
               diagnosis_kind::redundant_loads},
    measure_of{traffic::load_requests_per_warp, counted_over::launches, "", "", "load requests per warp",
               diagnosis_kind::too_few_blocks},
    measure_of{traffic::load_sectors, counted_over::all_accesses, "load", "global", "sectors loaded",
               diagnosis_kind::redundant_loads},
    measure_of{traffic::store_sectors, counted_over::all_accesses, "store", "global", "sectors stored",
               diagnosis_kind::wasted_work},
    measure_of{traffic::sectors, counted_over::all_accesses, "", "global", "sectors of global memory",
               diagnosis_kind::redundant_loads},
    measure_of{traffic::global_atomics, counted_over::launches, "", "", "atomic operations on global memory",
               diagnosis_kind::global_atomics},
    measure_of{traffic::shared_atomics, counted_over::launches, "", "", "atomic operations on shared memory",
               diagnosis_kind::global_atomics},
    measure_of{traffic::block_barriers, counted_over::launches, "", "", "barriers of blocks",
               diagnosis_kind::wasted_work},
    measure_of{traffic::launches, counted_over::launches, "", "", "kernel launches", diagnosis_kind::wasted_work},
    measure_of{traffic::blocks, counted_over::launches, "", "", "blocks", diagnosis_kind::wasted_work},
    measure_of{traffic::threads, counted_over::launches, "", "", "threads", diagnosis_kind::wasted_work},
    measure_of{traffic::active_lanes, counted_over::launches, "", "", "active lanes per request",
               diagnosis_kind::wasted_work},
    measure_of{traffic::occupancy, counted_over::launches, "", "", "of the possible warps on a multiprocessor",
               diagnosis_kind::wasted_work},
    measure_of{traffic::concurrent_launches, counted_over::launches, "", "", "kernels that may run at the same time",
               diagnosis_kind::serialized},
};

const measure_of& about(traffic metric) { return *std::ranges::find(known, metric, &measure_of::metric); }

double of_access(traffic metric, const line_traffic& access) {
  switch (metric) {
    case traffic::load_sectors_per_request:
    case traffic::store_sectors_per_request:
      return access.most_sectors_per_request;
    case traffic::bank_conflicts:
      return static_cast<double>(access.bank_conflicts);
    case traffic::shared_wavefronts:
      return static_cast<double>(access.wavefronts);
    case traffic::load_requests:
    case traffic::shared_requests:
      return static_cast<double>(access.requests);
    default:
      return static_cast<double>(access.sectors);
  }
}

double product(const std::array<int, 3>& size) { return 1.0 * size[0] * size[1] * size[2]; }

double sum_over(const std::vector<const launch*>& launches, const std::function<double(const launch&)>& of) {
  double sum = 0;
  for (const auto* one : launches) sum += of(*one);
  return sum;
}

double load_requests_per_warp(const launch& one) {
  std::uint64_t requests = 0;
  for (const auto& access : one.lines)
    if (access.is("load", "global")) requests += access.requests;
  const double warps = product(one.grid) * std::ceil(product(one.block) / 32);
  return static_cast<double>(requests) / std::max(warps, 1.0);
}

double of_launches(traffic metric, const std::vector<const launch*>& all) {
  switch (metric) {
    case traffic::global_atomics:
      return sum_over(all, [](const launch& one) { return static_cast<double>(one.global_atomics); });
    case traffic::shared_atomics:
      return sum_over(all, [](const launch& one) { return static_cast<double>(one.shared_atomics); });
    case traffic::block_barriers:
      return sum_over(all, [](const launch& one) { return static_cast<double>(one.block_barriers); });
    case traffic::blocks:
      return sum_over(all, [](const launch& one) { return product(one.grid); });
    case traffic::threads:
      return sum_over(all, [](const launch& one) { return product(one.grid) * product(one.block); });
    case traffic::active_lanes: {
      const auto requests = sum_over(all, [](const launch& one) { return static_cast<double>(one.requests); });
      return sum_over(all, [](const launch& one) { return static_cast<double>(one.lanes); }) / std::max(requests, 1.0);
    }
    case traffic::occupancy:
      return (*std::ranges::min_element(all, {}, [](const launch* one) { return one->occupancy; }))->occupancy;
    case traffic::load_requests_per_warp:
      return load_requests_per_warp(
          *std::ranges::max(all, {}, [](const launch* one) { return load_requests_per_warp(*one); }));
    case traffic::concurrent_launches:
      return static_cast<double>(
          std::ranges::max(all, {}, [](const launch* one) { return one->concurrent; })->concurrent);
    default:
      return static_cast<double>(all.size());
  }
}

// What the launches come to, and the access that is worst by the same measure, if there is one.
struct counted_traffic {
  double value = 0;
  const line_traffic* worst = nullptr;
};

counted_traffic count_traffic(traffic metric, const std::vector<const launch*>& launches) {
  const auto& measured = about(metric);
  if (measured.what == counted_over::launches) return {of_launches(metric, launches)};
  counted_traffic result;
  double worst = 0, sum = 0;
  for (const auto* one : launches)
    for (const auto& access : one->lines) {
      if (access.space != measured.space || (!measured.op.empty() && access.op != measured.op)) continue;
      const auto own = of_access(metric, access);
      sum += own;
      if (own <= worst) continue;
      worst = own;
      result.worst = &access;
    }
  result.value = measured.what == counted_over::worst_access ? worst : sum;
  return result;
}

// What the same accesses cost beyond the least that they can: conflicts of banks, or sectors of uncoalesced loads.
double excess(traffic metric, const std::vector<const launch*>& launches) {
  return sum_over(launches, [&](const launch& one) {
    double sum = 0;
    for (const auto& access : one.lines) {
      if (metric == traffic::shared_wavefronts && access.space == "shared")
        sum += static_cast<double>(access.bank_conflicts);
      if (metric == traffic::load_sectors && access.is("load", "global"))
        sum += static_cast<double>(access.sectors) - static_cast<double>(access.sectors_ideal);
    }
    return sum;
  });
}

// "1 kernel that ...", "3 kernels that ..."
std::string amount(double value, std::string_view units) {
  std::string unit{units};
  const auto end = std::min(unit.find(' '), unit.size());
  if (value == 1 && unit[end - 1] == 's') unit.erase(end - 1, 1);
  return plain_number(value) + " " + unit;
}

std::string explain(const gate& limit, const gate_result& result, const std::filesystem::path& source) {
  const bool over = result.value > limit.limit;
  auto text = fmt::format("{} at {}, but at {} {} pass the gate\n", amount(result.value, about(limit.metric).unit),
                          result.size, over ? "most" : "least", plain_number(over ? limit.limit : limit.least));
  if (result.line > 0) text += fmt::format("  {}\n", quoted_line(source, result.file, result.line));
  text += fmt::format("  {}\n", limit.why);
  if (limit.costs > 0)
    text += fmt::format("  A kernel beyond this limit took {:.3g} times as long as the solution on an H200, at {}.\n",
                        limit.costs, limit.costs_at.name());
  return text;
}

}  // namespace

gate_result measure(const gate& limit, const trace_report& report, const std::filesystem::path& source) {
  gate_result result{.metric = limit.metric,
                     .size = limit.at.name(),
                     .kernel = limit.kernel,
                     .limit = limit.limit,
                     .least = limit.least,
                     .remark = limit.remark()};
  std::vector<const launch*> launches;
  for (const auto& one : report.launches)
    if (one.kernel.find(limit.kernel) != std::string::npos) launches.push_back(&one);
  if (launches.empty()) {
    result.message = limit.kernel.empty()
                         ? std::string{"no kernel was launched: the device must do the work\n"}
                         : fmt::format("no kernel was launched whose name contains \"{}\"\n", limit.kernel);
    return result;
  }
  const auto counted = count_traffic(limit.metric, launches);
  result.value = counted.value;
  result.passed = result.value <= limit.limit && result.value >= limit.least;
  if (result.passed) return result;
  if (counted.worst && result.value > limit.limit) {
    result.file = counted.worst->file;
    result.line = counted.worst->line;
    result.scattered = result.value - excess(limit.metric, launches) <= limit.limit;
  }
  result.message = explain(limit, result, source);
  return result;
}

double counted(traffic metric, const trace_report& report) {
  std::vector<const launch*> launches;
  for (const auto& one : report.launches) launches.push_back(&one);
  return launches.empty() ? 0 : count_traffic(metric, launches).value;
}

std::string_view unit_of(traffic metric) { return about(metric).unit; }

diagnosis_kind diagnosis_of(const gate_result& result) {
  const auto& measured = about(result.metric);
  // Less traffic than the problem needs means that the work was done elsewhere.
  if (result.value < result.least && measured.what == counted_over::all_accesses) return diagnosis_kind::not_on_device;
  const bool of_grid = result.metric == traffic::threads || result.metric == traffic::blocks;
  if (result.value < result.least && of_grid) return diagnosis_kind::too_few_blocks;
  if (!result.scattered) return measured.diagnosis;
  return measured.space == "shared" ? diagnosis_kind::bank_conflicts : diagnosis_kind::uncoalesced;
}

std::vector<explanation> metric_explanations() { return explanations_in(metrics_markdown, "metric of a gate"); }

nlohmann::json to_json(const gate_result& result) {
  return {{"launcher", result.launcher}, {"metric", word(result.metric)}, {"size", result.size},
          {"kernel", result.kernel},     {"limit", result.limit},         {"least", result.least},
          {"value", result.value},       {"remark", result.remark},       {"passed", result.passed},
          {"file", result.file},         {"line", result.line},           {"message", result.message}};
}

}  // namespace lab::judge
