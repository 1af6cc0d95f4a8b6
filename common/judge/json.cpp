#include <nlohmann/json.hpp>

#include "judge/check.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

// Compilers and kernels print any bytes; JSON is UTF-8.
std::string as_utf8(const std::string& text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

json to_json(const case_result& c) {
  return {{"launcher", c.launcher},        {"name", c.name},           {"seed", c.seed}, {"verdict", word(c.verdict)},
          {"message", as_utf8(c.message)}, {"diagnosis", c.diagnosis}, {"hint", c.hint}};
}

}  // namespace

json to_json(const check_result& r) {
  json cases = json::array();
  for (const auto& c : r.cases) cases.push_back(to_json(c));
  return {{"lab", r.lab},
          {"variant", r.variant},
          {"verdict", word(r.verdict)},
          {"cases", cases},
          {"hazards", json::array()},
          {"gates", json::array()},
          {"seconds", r.seconds},
          {"build_seconds", r.build_seconds}};
}

}  // namespace lab::judge
