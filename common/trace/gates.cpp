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

bool counts(const line_traffic& a, const measure_of& m) { return a.space == m.space && (m.op.empty() || a.op == m.op); }

struct tally {
  std::uint64_t requests = 0, sectors = 0, sectors_ideal = 0, conflicts = 0;

  void add(const line_traffic& a) {
    requests += a.requests;
    sectors += a.sectors;
    sectors_ideal += a.sectors_ideal;
    conflicts += a.bank_conflicts;
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

double value_of(const gate& g, const std::vector<const launch*>& launches) {
  tally all;
  double worst = 0;
  for (const auto* l : launches)
    for (const auto& a : l->lines) {
      if (!counts(a, about(g.metric))) continue;
      tally own;
      own.add(a), all.add(a);
      worst = std::max(worst, own.value(g.metric));
    }
  return per_line(g.metric) ? worst : all.value(g.metric);
}

// The line that is worst by the gate's own measure.
const line_traffic* culprit(const gate& g, const std::vector<const launch*>& launches) {
  const line_traffic* found = nullptr;
  double worst = 0;
  for (const auto* l : launches)
    for (const auto& a : l->lines) {
      tally own;
      own.add(a);
      if (!counts(a, about(g.metric)) || own.value(g.metric) <= worst) continue;
      worst = own.value(g.metric);
      found = &a;
    }
  return found;
}

std::string explain(const gate& g, const gate_result& r, const std::filesystem::path& source) {
  auto text = fmt::format("{:.4g} {} at {}, but at most {:.4g} pass the gate\n", r.value, about(g.metric).unit, r.size,
                          g.limit);
  if (r.line > 0) text += fmt::format("  {}\n", quoted_line(source, r.file, r.line));
  return text + fmt::format("  {}\n", g.why);
}

}  // namespace

gate_result measure(const gate& g, const trace_report& report, const std::filesystem::path& source) {
  gate_result r{.metric = g.metric, .size = g.at.name(), .kernel = g.kernel, .limit = g.limit};
  std::vector<const launch*> launches;
  for (const auto& l : report.launches)
    if (l.kernel.find(g.kernel) != std::string::npos) launches.push_back(&l);
  r.value = value_of(g, launches);
  r.passed = !launches.empty() && r.value <= g.limit;
  if (launches.empty()) r.message = fmt::format("no kernel was launched whose name contains \"{}\"\n", g.kernel);
  if (r.passed || launches.empty()) return r;
  if (const auto* worst = culprit(g, launches)) {
    r.file = worst->file;
    r.line = worst->line;
  }
  r.message = explain(g, r, source);
  return r;
}

diagnosis_kind diagnosis_of(const gate_result& result) { return about(result.metric).diagnosis; }

std::vector<explanation> metric_explanations() { return explanations_in(metrics_markdown, "metric of a gate"); }

nlohmann::json to_json(const gate_result& g) {
  return {{"launcher", g.launcher}, {"metric", word(g.metric)}, {"size", g.size},     {"kernel", g.kernel},
          {"limit", g.limit},       {"value", g.value},         {"passed", g.passed}, {"file", g.file},
          {"line", g.line},         {"message", g.message}};
}

}  // namespace lab::judge
