#include "trace/trace_report.hpp"

#include <algorithm>

namespace lab::judge {

namespace {

using nlohmann::json;

constexpr int deepest = 16;
constexpr std::size_t most_hazards = 100;

hazard read_hazard(const json& h) {
  return {.kind = h.at("kind"),
          .severity = h.at("severity"),
          .kernel = h.at("kernel"),
          .file = h.at("file"),
          .space = h.at("space"),
          .message = h.at("message"),
          .line = h.at("line"),
          .other_line = h.at("other_line"),
          .block = h.at("block"),
          .thread = h.at("thread"),
          .count = h.value("count", std::uint64_t{1})};
}

line_traffic read_access(const json& a) {
  return {.file = a.at("file"),
          .line = a.at("line"),
          .op = a.at("op"),
          .space = a.at("space"),
          .requests = a.at("requests"),
          .sectors = a.at("sectors"),
          .sectors_ideal = a.at("sectors_ideal"),
          .wavefronts = a.at("wavefronts"),
          .wavefronts_ideal = a.at("wavefronts_ideal"),
          .bank_conflicts = a.value("bank_conflicts", std::uint64_t{0}),
          .sample = a.value("sample", json{})};
}

launch read_launch(const json& l) {
  launch one{l.at("kernel"), l.at("grid"), l.at("block"), l.at("metrics"), {}};
  for (const auto& a : l.at("lines")) one.lines.push_back(read_access(a));
  return one;
}

json to_json(const line_traffic& a) {
  return {{"file", a.file},
          {"line", a.line},
          {"op", a.op},
          {"space", a.space},
          {"requests", a.requests},
          {"sectors", a.sectors},
          {"sectors_ideal", a.sectors_ideal},
          {"wavefronts", a.wavefronts},
          {"wavefronts_ideal", a.wavefronts_ideal},
          {"bank_conflicts", a.bank_conflicts},
          {"sample", a.sample}};
}

}  // namespace

void add_to(std::vector<line_traffic>& lines, const line_traffic& a) {
  const auto same = [&](const line_traffic& b) { return a.file == b.file && a.line == b.line && b.is(a.op, a.space); };
  const auto at = std::ranges::find_if(lines, same);
  if (at == lines.end()) return lines.push_back(a);
  at->requests += a.requests;
  at->sectors += a.sectors;
  at->sectors_ideal += a.sectors_ideal;
  at->wavefronts += a.wavefronts;
  at->wavefronts_ideal += a.wavefronts_ideal;
  at->bank_conflicts += a.bank_conflicts;
}

trace_report parse_report(const std::string& text) {
  // What lies deeper than any report is not kept, nor more hazards than anybody reads: a program may have made it up.
  const auto document = json::parse(text, [](int depth, json::parse_event_t, const json&) { return depth <= deepest; });
  trace_report r;
  for (const auto& l : document.at("launches")) r.launches.push_back(read_launch(l));
  for (const auto& h : document.at("hazards"))
    if (r.hazards.size() < most_hazards) r.hazards.push_back(read_hazard(h));
  return r;
}

json to_json(const hazard& h) {
  return {{"kind", h.kind},   {"severity", h.severity},     {"kernel", h.kernel}, {"file", h.file},
          {"line", h.line},   {"other_line", h.other_line}, {"block", h.block},   {"thread", h.thread},
          {"space", h.space}, {"message", h.message},       {"count", h.count}};
}

json to_json(const launch& l) {
  json lines = json::array();
  for (const auto& a : l.lines) lines.push_back(to_json(a));
  return {{"kernel", l.kernel}, {"grid", l.grid}, {"block", l.block}, {"metrics", l.metrics}, {"lines", lines}};
}

}  // namespace lab::judge
