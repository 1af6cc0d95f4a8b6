#include "grade/job/row.hpp"

#include "text/sanitize.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

verdict_kind verdict_of(const json& j) {
  const auto word = j.at("verdict").get<std::string>();
  if (const auto v = lab::verdict_from(word)) return *v;
  throw std::runtime_error("there is no verdict \"" + word + "\"");
}

json to_json(const std::vector<case_row>& cases) {
  json all = json::array();
  for (const auto& c : cases)
    all.push_back({{"name", c.name}, {"verdict", word(c.verdict)}, {"message", sanitize::plain(c.message, 4096)}});
  return all;
}

std::vector<case_row> cases_from(const json& j) {
  std::vector<case_row> all;
  for (const auto& c : j) all.push_back({c.at("name"), c.at("message"), verdict_of(c)});
  return all;
}

json to_json(const speed_row& s) {
  return {{"size", s.size},
          {"clock", s.clock},
          {"ms", s.ms},
          {"floor_ms", s.floor_ms},
          {"solution_ms", s.solution_ms},
          {"ratio", s.ratio},
          {"points", s.points},
          {"max_points", s.max_points},
          {"too_short", s.too_short}};
}

speed_row speed_from(const json& j) {
  return {j.at("size"),  j.value("clock", "host"), j.at("ms"),         j.at("solution_ms"),        j.at("floor_ms"),
          j.at("ratio"), j.at("points"),           j.at("max_points"), j.value("too_short", false)};
}

}  // namespace

json to_json(const row& r) {
  json speed = json::array();
  for (const auto& s : r.speed) speed.push_back(to_json(s));
  return {{"key", r.key},
          {"student", sanitize::line(r.student)},
          {"lab", r.lab},
          {"verdict", word(r.verdict)},
          {"points", r.points},
          {"max_points", r.max_points},
          {"message", sanitize::line(r.message)},
          {"sandbox_level", r.sandbox_level},
          {"seconds", r.seconds},
          {"build_seconds", r.build_seconds},
          {"file", sanitize::line(r.file)},
          {"backend", r.backend},
          {"cases", to_json(r.cases)},
          {"advice", to_json(r.advice)},
          {"gates_passed", r.gates_passed},
          {"gates_total", r.gates_total},
          {"hidden_passed", r.hidden_passed},
          {"hidden_total", r.hidden_total},
          {"seed", r.seed},
          {"late_days", r.late_days},
          {"penalty", r.penalty},
          {"flags", r.flags},
          {"speed", speed}};
}

row row_from(const json& j) {
  row r{j.at("key"),        j.at("student"), j.at("lab"),           verdict_of(j),   j.at("points"),
        j.at("max_points"), j.at("message"), j.at("sandbox_level"), j.at("seconds"), j.at("build_seconds")};
  r.file = j.at("file");
  r.backend = j.at("backend");
  r.cases = cases_from(j.at("cases"));
  r.advice = cases_from(j.at("advice"));
  r.gates_passed = j.at("gates_passed");
  r.gates_total = j.at("gates_total");
  r.hidden_passed = j.at("hidden_passed");
  r.hidden_total = j.at("hidden_total");
  r.seed = j.at("seed");
  r.late_days = j.at("late_days");
  r.penalty = j.at("penalty");
  r.flags = j.at("flags").get<std::vector<std::string>>();
  for (const auto& s : j.at("speed")) r.speed.push_back(speed_from(s));
  return r;
}

}  // namespace lab::grade
