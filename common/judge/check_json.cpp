#include <nlohmann/json.hpp>

#include "judge/check.hpp"
#include "text/utf8_json.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json to_json(const case_result& c) {
  return {{"launcher", c.launcher},
          {"name", c.name()},
          {"phase", word(c.phase)},
          {"size", c.size.name()},
          {"inputs", !c.floating                 ? ""
                     : c.kind == inputs::lattice ? "lattice"
                                                 : "real"},
          {"seed", c.seed},
          {"verdict", word(c.verdict)},
          {"message", as_utf8(c.message)},
          {"diagnosis", word(c.diagnosis)},
          {"hint", c.hint}};
}

}  // namespace

json to_json(const check_result& r) {
  json cases = json::array(), hazards = json::array(), gates = json::array();
  for (const auto& c : r.cases) cases.push_back(to_json(c));
  for (const auto& h : r.hazards) {
    auto& one = hazards.emplace_back(to_json(h));
    one["advice"] = advice_for(h);
  }
  for (const auto& g : r.gates) gates.push_back(to_json(g));
  return {{"lab", r.lab},
          {"variant", r.variant},
          {"verdict", word(r.verdict)},
          {"cases", cases},
          {"hazards", hazards},
          {"gates", gates},
          {"seconds", r.seconds},
          {"build_seconds", r.build_seconds},
          {"trace_seconds", r.trace_seconds}};
}

}  // namespace lab::judge
