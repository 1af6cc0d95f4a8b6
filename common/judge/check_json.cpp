#include <nlohmann/json.hpp>

#include "judge/check.hpp"
#include "text/utf8_json.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json to_json(const element_map& map) {
  if (map.rows.empty()) return {};
  const auto& each = map.elements_per_mark;
  return {{"array", map.array}, {"rows_per_mark", each.rows}, {"cols_per_mark", each.cols}, {"marks", map.rows}};
}

json to_json(const case_result& result) {
  return {{"launcher", result.launcher},
          {"name", result.name()},
          {"phase", word(result.phase)},
          {"size", result.size.name()},
          {"inputs", !result.floating                 ? ""
                     : result.kind == inputs::lattice ? "lattice"
                                                      : "real"},
          {"seed", result.seed},
          {"verdict", word(result.verdict)},
          {"message", as_utf8(result.message)},
          {"diagnosis", word(result.diagnosis)},
          {"hint", result.hint},
          {"picture", to_json(result.map)}};
}

json to_json(const trace_coverage& coverage) {
  json traced = json::array(), missing = json::array();
  for (const auto& at : coverage.traced) traced.push_back({{"launcher", at.launcher->name}, {"size", at.size.name()}});
  for (const auto& run : coverage.missing) {
    json places = json::array();
    for (const auto& place : run.places) places.push_back(to_json(place));
    missing.push_back({{"launcher", run.launcher}, {"size", run.size.name()}, {"places", places}, {"why", run.why}});
  }
  return {{"traced", traced}, {"places", coverage.places}, {"missing", missing}};
}

}  // namespace

json to_json(const check_result& result) {
  json cases = json::array(), hazards = json::array(), gates = json::array(), stages = json::array();
  for (const auto& s : result.stages)
    stages.push_back({{"stage", s.number}, {"title", s.title}, {"verdict", word(s.verdict)}});
  for (const auto& c : result.cases) cases.push_back(to_json(c));
  for (const auto& h : result.hazards) {
    auto& one = hazards.emplace_back(to_json(h));
    one["advice"] = advice_for(h);
  }
  for (const auto& g : result.gates) gates.push_back(to_json(g));
  return {{"lab", result.lab},
          {"variant", result.variant},
          {"stage", result.stage},
          {"stages", stages},
          {"verdict", word(result.verdict)},
          {"cases", cases},
          {"hazards", hazards},
          {"source_checked", result.source_checked},
          {"gates", gates},
          {"coverage", to_json(result.coverage)},
          {"seconds", result.seconds},
          {"build_seconds", result.build_seconds},
          {"trace_seconds", result.trace_seconds}};
}

}  // namespace lab::judge
