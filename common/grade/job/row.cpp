#include "grade/job/row.hpp"

#include <nlohmann/json.hpp>

#include "text/sanitize.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

verdict_kind verdict_of(const json& document) {
  const auto word = document.at("verdict").get<std::string>();
  if (const auto verdict = lab::verdict_from(word)) return *verdict;
  throw std::runtime_error("unknown verdict \"" + word + "\"");
}

json to_json(const std::vector<case_row>& cases) {
  json all = json::array();
  for (const auto& one : cases)
    all.push_back({{"name", one.name},
                   {"verdict", word(one.verdict)},
                   {"message", sanitize::plain(one.message, 4096)},
                   {"free", one.free},
                   {"traced", one.traced},
                   {"diagnosis", one.diagnosis}});
  return all;
}

std::vector<case_row> cases_from(const json& document) {
  std::vector<case_row> all;
  for (const auto& one : document)
    all.push_back({one.at("name"), one.at("message"), verdict_of(one), one.value("free", false),
                   one.value("traced", false), one.value("diagnosis", "none")});
  return all;
}

json to_json(const std::vector<gate_row>& gates) {
  json all = json::array();
  for (const auto& one : gates)
    all.push_back({{"launcher", one.launcher}, {"name", one.name}, {"passed", one.passed}, {"free", one.free}});
  return all;
}

std::vector<gate_row> gates_from(const json& document) {
  std::vector<gate_row> all;
  for (const auto& one : document)
    all.push_back({one.at("launcher"), one.at("name"), one.at("passed"), one.at("free")});
  return all;
}

json to_json(const std::vector<stage_row>& stages) {
  json all = json::array();
  for (const auto& one : stages)
    all.push_back({{"stage", one.number}, {"title", one.title}, {"verdict", word(one.verdict)}});
  return all;
}

std::vector<stage_row> stages_from(const json& document) {
  std::vector<stage_row> all;
  for (const auto& one : document) all.push_back({one.at("stage"), one.at("title"), verdict_of(one)});
  return all;
}

json to_json(const speed_row& timed) {
  return {{"size", timed.size},
          {"clock", timed.clock},
          {"ms", timed.ms},
          {"floor_ms", timed.floor_ms},
          {"solution_ms", timed.solution_ms},
          {"ratio", timed.ratio},
          {"points", timed.points},
          {"max_points", timed.max_points},
          {"too_short", timed.too_short},
          {"extra", timed.extra}};
}

speed_row speed_from(const json& document) {
  return {document.at("size"),           document.value("clock", "host"), document.at("ms"),
          document.at("solution_ms"),    document.at("floor_ms"),         document.at("ratio"),
          document.at("points"),         document.at("max_points"),       document.value("too_short", false),
          document.value("extra", false)};
}

json to_json(const traffic_row& counted) {
  return {{"metric", counted.metric}, {"size", counted.size}, {"value", counted.value}};
}

traffic_row traffic_from(const json& document) {
  return {document.at("metric"), document.at("size"), document.at("value")};
}

}  // namespace

std::string diagnosis_of(const row& graded) {
  for (const auto& one : graded.cases)
    if (one.verdict != verdict_kind::pass && one.verdict != verdict_kind::skipped) return one.diagnosis;
  return "none";
}

json to_json(const row& graded) {
  json speed = json::array(), traffic = json::array();
  for (const auto& timed : graded.speed) speed.push_back(to_json(timed));
  for (const auto& counted : graded.traffic) traffic.push_back(to_json(counted));
  return {{"key", graded.key},
          {"student", sanitize::line(graded.student)},
          {"lab", graded.lab},
          {"verdict", word(graded.verdict)},
          {"points", graded.points},
          {"max_points", graded.max_points},
          {"message", sanitize::line(graded.message)},
          {"sandbox_level", graded.sandbox_level},
          {"seconds", graded.seconds},
          {"build_seconds", graded.build_seconds},
          {"file", sanitize::line(graded.file)},
          {"backend", graded.backend},
          {"cases", to_json(graded.cases)},
          {"advice", to_json(graded.advice)},
          {"stages", to_json(graded.stages)},
          {"gates", to_json(graded.gates)},
          {"gates_count", graded.gates_count},
          {"gates_passed", graded.gates_passed},
          {"gates_total", graded.gates_total},
          {"hidden_passed", graded.hidden_passed},
          {"hidden_total", graded.hidden_total},
          {"hidden_failures", graded.hidden_failures},
          {"seed", graded.seed},
          {"late_days", graded.late_days},
          {"penalty", graded.penalty},
          {"timed_out", graded.timed_out},
          {"flags", graded.flags},
          {"speed", speed},
          {"diagnosis", diagnosis_of(graded)},
          {"extra", graded.extra},
          {"max_extra", graded.max_extra},
          {"source", graded.source},
          {"policy", graded.policy},
          {"traffic", traffic}};
}

row row_from(const json& document) {
  row graded{document.at("key"),     document.at("student"),      document.at("lab"),     verdict_of(document),
             document.at("points"),  document.at("max_points"),   document.at("message"), document.at("sandbox_level"),
             document.at("seconds"), document.at("build_seconds")};
  graded.file = document.at("file");
  graded.backend = document.at("backend");
  graded.cases = cases_from(document.at("cases"));
  graded.advice = cases_from(document.at("advice"));
  graded.stages = stages_from(document.at("stages"));
  graded.gates = gates_from(document.value("gates", json::array()));
  graded.gates_count = document.value("gates_count", "advisory");
  graded.gates_passed = document.at("gates_passed");
  graded.gates_total = document.at("gates_total");
  graded.hidden_passed = document.at("hidden_passed");
  graded.hidden_total = document.at("hidden_total");
  graded.hidden_failures = document.value("hidden_failures", std::vector<std::string>{});
  graded.seed = document.at("seed");
  graded.late_days = document.at("late_days");
  graded.penalty = document.at("penalty");
  graded.timed_out = document.value("timed_out", false);
  graded.flags = document.at("flags").get<std::vector<std::string>>();
  for (const auto& timed : document.at("speed")) graded.speed.push_back(speed_from(timed));
  graded.extra = document.value("extra", 0.0);
  graded.max_extra = document.value("max_extra", 0.0);
  graded.source = document.value("source", "");
  graded.policy = document.value("policy", "");
  for (const auto& counted : document.value("traffic", json::array())) graded.traffic.push_back(traffic_from(counted));
  return graded;
}

}  // namespace lab::grade
