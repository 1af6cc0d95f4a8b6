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
                   {"free", one.free}});
  return all;
}

std::vector<case_row> cases_from(const json& document) {
  std::vector<case_row> all;
  for (const auto& one : document)
    all.push_back({one.at("name"), one.at("message"), verdict_of(one), one.value("free", false)});
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
          {"too_short", timed.too_short}};
}

speed_row speed_from(const json& document) {
  return {document.at("size"),        document.value("clock", "host"), document.at("ms"),
          document.at("solution_ms"), document.at("floor_ms"),         document.at("ratio"),
          document.at("points"),      document.at("max_points"),       document.value("too_short", false)};
}

}  // namespace

json to_json(const row& graded) {
  json speed = json::array();
  for (const auto& timed : graded.speed) speed.push_back(to_json(timed));
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
          {"speed", speed}};
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
  return graded;
}

}  // namespace lab::grade
