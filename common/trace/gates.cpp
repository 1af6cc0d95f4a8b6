#include "trace/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnosis/explanation.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

namespace {

// How one kind of traffic is counted and told. The diagnosis is the word for a kernel beyond the limit.
struct measure_of {
  traffic metric;
  std::string_view word, op, space, unit, diagnosis, meaning, cause, next;
};

constexpr std::string_view
    strangers =
        "Neighbouring threads take elements that are not neighbours: threadIdx.x is multiplied by a row's length.",
    neighbours =
        "Let threadIdx.x be the fastest-running index of the access: in[row * cols + col] with col from threadIdx.x.",
    anew = "A value is loaded from global memory by every thread that needs it, or in every round of a loop.",
    keep = "Keep it: in a register, or in shared memory where the whole block reads it.";

constexpr std::array known{
    measure_of{traffic::load_sectors_per_request, "load_sectors_per_request", "load", "global",
               "sectors per load request", "uncoalesced",
               "How many pieces of 32 bytes one load of one warp needs. 32 neighbouring floats are 4 sectors; 32 "
               "scattered ones are 32, and all of them travel.",
               strangers, neighbours},
    measure_of{
        traffic::store_sectors_per_request, "store_sectors_per_request", "store", "global", "sectors per store request",
        "uncoalesced",
        "The same for stores: how many pieces of 32 bytes one store of one warp touches. 4 for neighbours, up to "
        "32 for strangers.",
        strangers, neighbours},
    measure_of{traffic::bank_conflicts, "bank_conflicts", "", "shared", "bank conflicts", "bank_conflicts",
               "Shared memory has 32 banks, each of which serves one word of 4 bytes at a time. A conflict is one more "
               "turn that a warp waits, since several of its lanes want different words of one bank.",
               "A warp reads down a column of an array whose rows are 32 words long: all in one bank.",
               "Add an unused column, so that a row is 33 words long; or change which lane reads which element."},
    measure_of{traffic::load_requests, "load_requests", "load", "global", "load requests", "redundant_loads",
               "How many load instructions the warps issue to global memory, all together.", anew, keep},
    measure_of{traffic::load_sectors, "load_sectors", "load", "global", "sectors loaded", "redundant_loads",
               "How many pieces of 32 bytes are loaded from global memory, all together.", anew, keep},
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

bool per_launch(traffic metric) {
  return metric == traffic::load_sectors_per_request || metric == traffic::store_sectors_per_request;
}

double value_of(const gate& g, const std::vector<const launch*>& launches) {
  tally all;
  double worst = 0;
  for (const auto* l : launches) {
    tally own;
    for (const auto& a : l->lines)
      if (counts(a, about(g.metric))) own.add(a), all.add(a);
    worst = std::max(worst, own.value(g.metric));
  }
  return per_launch(g.metric) ? worst : all.value(g.metric);
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

std::string_view word(traffic metric) { return about(metric).word; }

gate_result measure(const gate& g, const trace_report& report, const std::filesystem::path& source) {
  gate_result r{.metric = std::string{word(g.metric)}, .size = g.at.name(), .kernel = g.kernel, .limit = g.limit};
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

std::string diagnosis_of(const gate_result& r) {
  const auto at = std::ranges::find(known, r.metric, &measure_of::word);
  return at == known.end() ? "" : std::string{at->diagnosis};
}

std::vector<explanation> gate_explanations() {
  std::vector<explanation> all;
  for (const auto& m : known) {
    all.push_back({m.word, "what a gate limits", m.meaning, m.cause, m.next});
    const bool known_word = std::ranges::find(all, m.diagnosis, &explanation::word) != all.end();
    if (!known_word) all.push_back({m.diagnosis, "waste that a gate found", m.meaning, m.cause, m.next});
  }
  return all;
}

nlohmann::json to_json(const gate_result& g) {
  return {{"launcher", g.launcher}, {"metric", g.metric},  {"size", g.size},     {"kernel", g.kernel},
          {"limit", g.limit},       {"value", g.value},    {"passed", g.passed}, {"file", g.file},
          {"line", g.line},         {"message", g.message}};
}

}  // namespace lab::judge
