#include "trace/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnosis/explanation.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

extern const std::string_view metrics_markdown;  // metrics.md

namespace {

// How one kind of traffic is counted and shown, and the diagnosis of a kernel beyond the limit.
struct measure_of {
  traffic metric;
  std::string_view op, space, unit;
  diagnosis_kind diagnosis;
};

constexpr std::array known{
    measure_of{traffic::load_sectors_per_request, "load", "global", "sectors per load request",
               diagnosis_kind::uncoalesced},
    measure_of{traffic::store_sectors_per_request, "store", "global", "sectors per store request",
               diagnosis_kind::uncoalesced},
    measure_of{traffic::bank_conflicts, "", "shared", "bank conflicts", diagnosis_kind::bank_conflicts},
    measure_of{traffic::load_requests, "load", "global", "load requests", diagnosis_kind::redundant_loads},
    measure_of{traffic::load_sectors, "load", "global", "sectors loaded", diagnosis_kind::redundant_loads},
};

const measure_of& about(traffic metric) { return *std::ranges::find(known, metric, &measure_of::metric); }

bool counts(const line_traffic& access, const measure_of& measured) {
  return access.space == measured.space && (measured.op.empty() || access.op == measured.op);
}

struct tally {
  std::uint64_t requests = 0, sectors = 0, sectors_ideal = 0, conflicts = 0;

  void add(const line_traffic& access) {
    requests += access.requests;
    sectors += access.sectors;
    sectors_ideal += access.sectors_ideal;
    conflicts += access.bank_conflicts;
  }
  // A full warp of 16-byte accesses needs 16 sectors and counts as four requests.
  double sectors_per_request() const {
    const auto units = std::max<std::uint64_t>(requests, (sectors_ideal + 3) / 4);
    return units == 0 ? 0 : static_cast<double>(sectors) / static_cast<double>(units);
  }
  double value(traffic metric) const {
    switch (metric) {
      case traffic::load_sectors_per_request:
      case traffic::store_sectors_per_request:
        return sectors_per_request();
      case traffic::bank_conflicts:
        return static_cast<double>(conflicts);
      case traffic::load_requests:
        return static_cast<double>(requests);
      case traffic::load_sectors:
        return static_cast<double>(sectors);
    }
    return 0;
  }
};

// A ratio holds for every line of every launch: cheap lines do not make up for a bad one. Counts add up.
bool per_line(traffic metric) {
  return metric == traffic::load_sectors_per_request || metric == traffic::store_sectors_per_request;
}

// What the launches come to, and the line that is worst by the same measure, if there is one.
struct counted_traffic {
  double value = 0;
  const line_traffic* worst = nullptr;
};

counted_traffic count_traffic(traffic metric, const std::vector<const launch*>& launches) {
  tally all;
  counted_traffic result;
  double worst = 0;
  for (const auto* one : launches)
    for (const auto& access : one->lines) {
      if (!counts(access, about(metric))) continue;
      tally own;
      own.add(access);
      all.add(access);
      if (own.value(metric) <= worst) continue;
      worst = own.value(metric);
      result.worst = &access;
    }
  result.value = per_line(metric) ? worst : all.value(metric);
  return result;
}

std::string explain(const gate& limit, const gate_result& result, const std::filesystem::path& source) {
  auto text = fmt::format("{:.4g} {} at {}, but at most {:.4g} pass the gate\n", result.value, about(limit.metric).unit,
                          result.size, limit.limit);
  if (result.line > 0) text += fmt::format("  {}\n", quoted_line(source, result.file, result.line));
  return text + fmt::format("  {}\n", limit.why);
}

}  // namespace

gate_result measure(const gate& limit, const trace_report& report, const std::filesystem::path& source) {
  gate_result result{.metric = limit.metric, .size = limit.at.name(), .kernel = limit.kernel, .limit = limit.limit};
  std::vector<const launch*> launches;
  for (const auto& one : report.launches)
    if (one.kernel.find(limit.kernel) != std::string::npos) launches.push_back(&one);
  if (launches.empty()) {
    result.message = fmt::format("no kernel was launched whose name contains \"{}\"\n", limit.kernel);
    return result;
  }
  const auto counted = count_traffic(limit.metric, launches);
  result.value = counted.value;
  result.passed = result.value <= limit.limit;
  if (result.passed) return result;
  if (counted.worst) {
    result.file = counted.worst->file;
    result.line = counted.worst->line;
  }
  result.message = explain(limit, result, source);
  return result;
}

diagnosis_kind diagnosis_of(const gate_result& result) { return about(result.metric).diagnosis; }

std::vector<explanation> metric_explanations() { return explanations_in(metrics_markdown, "metric of a gate"); }

nlohmann::json to_json(const gate_result& result) {
  return {{"launcher", result.launcher}, {"metric", word(result.metric)}, {"size", result.size},
          {"kernel", result.kernel},     {"limit", result.limit},         {"value", result.value},
          {"passed", result.passed},     {"file", result.file},           {"line", result.line},
          {"message", result.message}};
}

}  // namespace lab::judge
