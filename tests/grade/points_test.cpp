#include "grade/job/points.hpp"

#include "catch.hpp"
#include "lab/lab_definition.hpp"

using namespace lab::grade;
using lab::verdict_kind;
using nlohmann::json;

namespace {

row with_cases(int right, int wrong) {
  row r{.key = "k", .student = "ada", .lab = "01_vector_add"};
  for (int i = 0; i < right; ++i) r.cases.push_back({"right", "", verdict_kind::pass});
  for (int i = 0; i < wrong; ++i) r.cases.push_back({"wrong", "", verdict_kind::wrong_answer});
  return r;
}

std::string refusal_of(const json& document) {
  try {
    policy_from(document);
  } catch (const lab::usage_error& e) {
    return e.what();
  }
  return "accepted";
}

grading_policy of_first_lab(const json& rules) { return policy_from({{"labs", {{"01", rules}}}}); }

constexpr std::time_t noon = 1'000'000'000, minute = 60, day = 86400;

double percent_after(std::time_t late, const late_policy& rules) {
  return lateness_of(rules, "ada", noon + late).percent;
}

}  // namespace

TEST_CASE("points are in proportion to the cases that pass, hidden ones counted alike", "[policy]") {
  const auto rules = of_first_lab({{"points", 12}});
  CHECK(points_of(rules, with_cases(4, 0)) == 12);
  CHECK(points_of(rules, with_cases(1, 0)) == 12);
  CHECK(points_of(rules, with_cases(1, 3)) == 3);
  CHECK(points_of(rules, with_cases(0, 3)) == 0);
  CHECK(points_of(rules, with_cases(0, 0)) == 0);
  auto r = with_cases(4, 0);
  r.hidden_total = 4;
  CHECK(points_of(rules, r) == 6);
  r.hidden_passed = 2;
  CHECK(points_of(rules, r) == 9);
  r.hidden_passed = 4;
  CHECK(points_of(rules, r) == 12);
  r.lab = "02_transpose_naive";
  CHECK(points_of(rules, r) == 10);
}

TEST_CASE("without partial credit only a kernel that passes every case gets points", "[policy]") {
  const auto rules = of_first_lab({{"points", 12}, {"partial", false}});
  CHECK(points_of(rules, with_cases(4, 0)) == 12);
  CHECK(points_of(rules, with_cases(99, 1)) == 0);
  auto r = with_cases(4, 0);
  r.hidden_total = 2;
  r.hidden_passed = 1;
  CHECK(points_of(rules, r) == 0);
}

TEST_CASE("gates give points in proportion, only where the policy says so and only to a right kernel", "[policy]") {
  auto document = json{{"gates", "points"}, {"labs", {{"01", {{"points", 10}, {"gate_points", 6}}}}}};
  auto r = with_cases(2, 0);
  CHECK(points_of(policy_from(document), r) == 16);  // a lab without gates asks nothing more
  r.gates_total = 3;
  CHECK(points_of(policy_from(document), r) == 10);
  r.gates_passed = 2;
  CHECK(points_of(policy_from(document), r) == 14);
  document["gates"] = "advisory";
  CHECK(points_of(policy_from(document), r) == 10);
  document["gates"] = "points";
  auto wrong = with_cases(1, 1);
  wrong.gates_total = wrong.gates_passed = 3;
  CHECK(points_of(policy_from(document), wrong) == 5);
}

TEST_CASE("a case that the starter passes gives no points, and takes some if it fails", "[policy]") {
  const auto rules = of_first_lab({{"points", 12}});
  auto r = with_cases(4, 0);
  r.cases[0].free = r.cases[1].free = true;
  CHECK(points_of(rules, r) == 12);
  r.cases[3].verdict = verdict_kind::wrong_answer;
  CHECK(points_of(rules, r) == 6);
  r.cases[2].verdict = verdict_kind::wrong_answer;
  CHECK(points_of(rules, r) == 0);
  auto broken = with_cases(3, 1);
  broken.cases[3].free = true;
  CHECK(points_of(rules, broken) == 9);
  auto all = with_cases(2, 0);
  all.cases[0].free = all.cases[1].free = true;
  CHECK(points_of(rules, all) == 12);  // a lab whose starter fails by a gate alone
}

row with_gates(std::vector<gate_row> gates) {
  auto r = with_cases(2, 0);
  r.gates = std::move(gates);
  for (const auto& one : r.gates)
    if (!one.passed) r.cases.push_back({one.name, "too many sectors", verdict_kind::gate, false, true});
  return r;
}

TEST_CASE("a launcher that misses one of its gates loses the share of the gates, whatever its other gates say",
          "[policy]") {
  const auto rules = policy_from(json::object());
  CHECK(points_of(rules, with_gates({{"a", "threads", true}, {"a", "sectors", true}})) == 10);
  CHECK(points_of(rules, with_gates({{"a", "threads", true}, {"a", "sectors", false}})) == 5);
  CHECK(points_of(rules, with_gates({{"a", "threads", true}, {"b", "sectors", false}})) == 7.5);
  CHECK(points_of(policy_from({{"gates", "required"}}), with_gates({{"a", "x", true}, {"b", "y", false}})) == 0);
  CHECK(points_of(policy_from({{"gates", "required"}}), with_gates({{"a", "x", true}})) == 10);
  CHECK(points_of(policy_from({{"gates", "advisory"}}), with_gates({{"a", "x", false}})) == 10);
}

TEST_CASE("a hazard loses the share of the gates, also in a lab without gates", "[policy]") {
  auto r = with_cases(2, 0);
  r.cases.push_back({"traced", "race", verdict_kind::race, false, true});
  CHECK(points_of(policy_from(json::object()), r) == 5);
  r.gates = {{"a", "threads", true}};
  CHECK(points_of(policy_from(json::object()), r) == 5);
}

TEST_CASE("gates that the starter passes give no points", "[policy]") {
  const auto rules = policy_from(json::object());
  auto idle = with_gates({{"a", "threads", true, true}, {"b", "sectors", false, false}});
  CHECK(points_of(rules, idle) == 5);
  for (auto& one : idle.cases) one.free = one.verdict == verdict_kind::pass;
  CHECK(points_of(rules, idle) == 0);  // its values are the starter's, too
}

TEST_CASE("the points are shared by the weights of the groups that a row has", "[policy]") {
  auto document = json{{"default", {{"points", 100}, {"weights", {{"values", 50}, {"hidden", 30}, {"gates", 20}}}}}};
  auto r = with_gates({{"a", "threads", false}});
  r.hidden_total = 3;
  r.hidden_passed = 3;
  CHECK(points_of(policy_from(document), r) == 80);
  r.hidden_passed = 1;
  CHECK(points_of(policy_from(document), r) == Approx(60));
  r.hidden_total = r.hidden_passed = 0;
  CHECK(points_of(policy_from(document), r) == 80);  // the weight of hidden cases goes to the values
  auto wrong = with_cases(1, 1);
  wrong.gates = {{"a", "threads", false}};
  CHECK(points_of(policy_from(document), wrong) == 40);
  document["default"]["weights"] = {{"values", 30}, {"hidden", 30}};
  CHECK(points_of(policy_from(document), with_cases(1, 0)) == 100);
}

TEST_CASE("a kernel without a case for its values earns nothing for them", "[policy]") {
  auto document = json{{"default", {{"points", 100}, {"weights", {{"values", 60}, {"gates", 40}}}}}};
  auto r = with_cases(1, 0);
  r.gates = {{"a", "threads", true}};
  CHECK(points_of(policy_from(document), r) == 100);
  r.cases.front().traced = true;
  CHECK(points_of(policy_from(document), r) == 40);
}

TEST_CASE("speed may have a share of the points", "[policy]") {
  const json speed{{"size", "7"}, {"points", 4}};
  const auto rules = of_first_lab({{"weights", {{"values", 3}, {"speed", 1}}}, {"speed", json::array({speed})}});
  auto r = with_cases(2, 0);
  CHECK(points_of(rules, r) == 10);  // the simulator measures no speed
  r.speed.resize(1);
  r.speed[0].points = 1;
  r.speed[0].max_points = 4;
  CHECK(points_of(rules, r) == Approx(10 * (3 + 0.25) / 4));
}

TEST_CASE("extra credit is no part of the points, has a limit, and only a kernel that passes earns it", "[policy]") {
  const json speed{{"size", "7"}, {"points", 4}, {"extra", true}};
  const auto rules = of_first_lab({{"most_extra", 3}, {"speed", json::array({speed})}});
  CHECK(rules.of("01_vector_add").speed.at(0).extra);
  auto r = with_cases(2, 0);
  r.verdict = verdict_kind::pass;
  r.speed.resize(1);
  r.speed[0].points = 2;
  r.speed[0].extra = true;
  CHECK(points_of(rules, r) == 10);
  CHECK(extra_of(rules, r) == 2);
  r.speed[0].points = 4;
  CHECK(extra_of(rules, r) == 3);
  r.verdict = verdict_kind::gate;
  CHECK(extra_of(rules, r) == 0);
}

TEST_CASE("a lab's lateness stands on that of all labs", "[policy]") {
  const auto p = policy_from(
      {{"late",
        {{"deadline", "2001-09-09T01:46:40Z"}, {"percent_per_day", 15}, {"times", {{"ada", "2001-09-09T01:46:40Z"}}}}},
       {"labs", {{"02", {{"late", {{"deadline", "2001-09-08T01:46:40Z"}}}}}}}});
  CHECK(lateness_of(p.of("01_vector_add").late, "ada", noon + day).percent == 0);
  CHECK(lateness_of(p.of("02_transpose_naive").late, "ada", noon + day).percent == 15);
  CHECK(lateness_of(p.of("02_transpose_naive").late, "bob", noon + 1).percent == 30);
}

TEST_CASE("a gate that fails takes points for gates only where gates have points of their own", "[policy]") {
  auto document = json{{"gates", "points"}, {"labs", {{"01", {{"points", 10}, {"gate_points", 6}}}}}};
  auto r = with_cases(3, 0);
  r.cases.push_back({"traced", "too many sectors", verdict_kind::gate});
  r.gates_total = 3;
  r.gates_passed = 2;
  CHECK(points_of(policy_from(document), r) == 14);
}

TEST_CASE("speed gives its points to a right kernel and none to a wrong one", "[policy]") {
  const auto rules = of_first_lab({{"points", 10}});
  auto r = with_cases(2, 0), wrong = with_cases(1, 1);
  for (auto* one : {&r, &wrong}) {
    one->speed.resize(2);
    one->speed[0].points = 3;
    one->speed[1].points = 0.5;
  }
  CHECK(points_of(rules, r) == 13.5);
  CHECK(points_of(rules, wrong) == 5);
}

TEST_CASE("a begun day late costs a whole one, after the grace and up to the most that a policy takes", "[policy]") {
  const auto rules = policy_from({{"late",
                                   {{"deadline", "2001-09-09T01:46:40Z"},
                                    {"grace_minutes", 30},
                                    {"percent_per_day", 15},
                                    {"most_percent", 40}}}})
                         .standard.late;
  REQUIRE(rules.deadline == noon);
  CHECK(percent_after(-day, rules) == 0);
  CHECK(percent_after(0, rules) == 0);
  CHECK(percent_after(30 * minute, rules) == 0);
  CHECK(percent_after(30 * minute + 1, rules) == 15);
  CHECK(percent_after(30 * minute + day, rules) == 15);
  CHECK(percent_after(30 * minute + day + 1, rules) == 30);
  CHECK(percent_after(9 * day, rules) == 40);
  CHECK(lateness_of(rules, "ada", noon + 2 * day).days == 2);
  CHECK(lateness_of({}, "ada", noon + 9 * day).percent == 0);
}

TEST_CASE("the time that a policy gives for a student counts instead of the file's", "[policy]") {
  const late_policy rules{.deadline = noon, .times = {{"ada", noon - 1}, {"bob", noon + 1}}};
  CHECK(lateness_of(rules, "ada", noon + day).percent == 0);
  CHECK(lateness_of(rules, "bob", noon - day).percent == 10);
  CHECK(lateness_of(rules, "eve", noon + 1).days == 1);
}

TEST_CASE("a time is read as UTC, whole or not at all", "[policy]") {
  CHECK(time_from("1970-01-02T00:00:01Z").value() == 86401);
  for (const auto* text :
       {"", "2026-11-21", "2026-11-21T23:59:00", "2026-11-21T23:59:00Z and more", "2026-13-21T23:59:00Z"})
    CHECK_FALSE(time_from(text).has_value());
}

TEST_CASE("an empty policy has the values that the README names", "[policy]") {
  const auto p = policy_from(json::object());
  const auto& rule = p.of("01_vector_add");
  CHECK(rule.points == 10);
  CHECK(rule.partial);
  CHECK(rule.gate_points == 0);
  CHECK(rule.hidden.empty());
  CHECK(rule.speed.empty());
  CHECK(rule.gates == gate_use::points);
  CHECK(rule.weights.values == 25);
  CHECK(rule.weights.hidden == 25);
  CHECK(rule.weights.gates == 50);
  CHECK(rule.weights.speed == 0);
  CHECK(p.clock == speed_clock::kernel);
  CHECK(rule.late.deadline == 0);
  CHECK(rule.late.percent_per_day == 10);
  CHECK(rule.late.most_percent == 50);
  CHECK_FALSE(p.hidden_seed.has_value());
  CHECK(p.case_seconds == 10);
  CHECK(p.build_seconds == 60);
  CHECK(p.job_seconds == 600);
  CHECK(p.memory_mib == 4096);
}

TEST_CASE("a policy says what it says, and a lab's rules stand on the default ones", "[policy]") {
  const auto p = policy_from(json::parse(R"({
    "schema": 1, "gates": "points", "clock": "host", "hidden_seed": 18014398509481991,
    "case_seconds": 0.1, "build_seconds": 1, "job_seconds": 86400, "memory_mib": 256,
    "default": {"points": 7, "gate_points": 2, "partial": false, "hidden_sizes": ["5"]},
    "labs": {"01": {"hidden_sizes": ["777", "778"], "speed": [{"launcher": "vector_add", "size": "9", "points": 5},
                                                             {"size": "8", "zero_at": 0.1, "full_at": 0.2}]}}})"));
  CHECK(p.standard.gates == gate_use::points);
  CHECK(p.clock == speed_clock::host);
  CHECK(p.hidden_seed == 7);  // what a JSON number holds exactly: 53 bits of 2^54 + 7
  CHECK(p.case_seconds == 0.1);
  CHECK(p.build_seconds == 1);
  CHECK(p.job_seconds == 86400);
  CHECK(p.memory_mib == 256);
  const auto& rule = p.of("01_vector_add");
  CHECK(rule.points == 7);
  CHECK(rule.gate_points == 2);
  CHECK_FALSE(rule.partial);
  CHECK(rule.hidden == std::vector<lab::problem_size>{{777}, {778}});
  REQUIRE(rule.speed.size() == 2);
  CHECK(rule.speed[0].launcher == "vector_add");
  CHECK(rule.speed[0].size == lab::problem_size{9});
  CHECK(rule.speed[0].points == 5);
  CHECK(rule.speed[0].zero_at == 0.5);
  CHECK(rule.speed[0].full_at == 0.95);
  CHECK(rule.speed[1].launcher.empty());
  CHECK(rule.speed[1].points == 1);
  CHECK(rule.speed[1].zero_at == 0.1);
  CHECK(rule.speed[1].full_at == 0.2);
  CHECK(p.of("10_grid_stride").hidden == std::vector<lab::problem_size>{{5}});
  CHECK(p.of("04_transpose_padded").hidden.empty());  // whose sizes have two extents
  CHECK(word(p.clock) == "host");
  CHECK(word(speed_clock::kernel) == "kernel");
}

TEST_CASE("points may be as many as a million", "[policy]") {
  const json speed{{"size", "7"}, {"points", 1e6}};
  const auto p = of_first_lab({{"points", 1e6}, {"gate_points", 1e6}, {"speed", json::array({speed})}});
  const auto& rule = p.of("01_vector_add");
  CHECK(rule.points == 1e6);
  CHECK(rule.gate_points == 1e6);
  CHECK(rule.speed.at(0).points == 1e6);
}

TEST_CASE("a policy that cannot hold is refused by the key and what may stand there", "[policy]") {
  const auto speed = [](const json& rule) { return json{{"labs", {{"01", {{"speed", json::array({rule})}}}}}}; };
  const std::vector<std::pair<json, std::string>> wrong{
      {json::array(), "policy: the document must be an object"},
      {{{"schema", 2}}, "policy: schema must be a number from 1 to 1"},
      {{{"lab", json::object()}}, "policy: lab is unknown; the known keys are build_seconds, "},
      {{{"labs", 1}}, "policy: labs must be an object"},
      {{{"labs", {{"01", 1}}}}, "policy: labs.01 "},
      {{{"labs", {{"01", json::object()}, {"01_vector_add", json::object()}}}},
       "policy: labs.01_vector_add names 01_vector_add again"},
      {{{"labs", {{"01", {{"points", -0.1}}}}}}, "policy: labs.01.points must be a number from 0 to "},
      {{{"labs", {{"01", {{"points", 1e7}}}}}}, "policy: labs.01.points must be a number from 0 to "},
      {{{"labs", {{"01", {{"partial", 1}}}}}}, "policy: labs.01.partial must be true or false"},
      {{{"labs", {{"01", {{"gate_points", "1"}}}}}}, "policy: labs.01.gate_points must be a number"},
      {{{"labs", {{"01", {{"hidden_sizes", "7"}}}}}}, "policy: labs.01.hidden_sizes must be a list"},
      {{{"labs", {{"01", {{"hidden_sizes", {"x"}}}}}}}, "policy: labs.01.hidden_sizes must hold sizes"},
      {{{"labs", {{"01", {{"hidden_sizes", {"7x7"}}}}}}}, "policy: labs.01.hidden_sizes has a size that does not fit"},
      {{{"default", {{"speed", 1}}}}, "policy: default.speed must be a list"},
      {speed({{"points", 1}}), "policy: labs.01.speed.size must hold sizes"},
      {speed({{"size", "7"}, {"launcher", 1}}), "policy: labs.01.speed.launcher must be text"},
      {speed({{"size", "7"}, {"zero_at", 0.5}, {"full_at", 0.5}}), "policy: labs.01.speed.full_at must be larger"},
      {speed({{"size", "7"}, {"full", 1}}),
       "policy: labs.01.speed.full is unknown; the known keys are extra, full_at, "},
      {{{"late", {{"deadline", "tomorrow"}}}}, "policy: late.deadline is \"tomorrow\", which is not a time"},
      {{{"late", {{"deadline", "2026-11-21T23:59:00Z"}, {"times", 1}}}}, "policy: late.times must be an object"},
      {{{"late", {{"deadline", "2026-11-21T23:59:00Z"}, {"times", {{"ada", 1}}}}}},
       "policy: late.times.ada is \"1\", which is not a time"},
      {{{"late", {{"deadline", "2026-11-21T23:59:00Z"}, {"most_percent", 101}}}}, "policy: late.most_percent must be"},
      {{{"late", {{"deadline", "2026-11-21T23:59:00Z"}, {"hours", 1}}}}, "policy: late.hours is unknown"},
      {{{"gates", "maybe"}}, "policy: gates must be"},
      {{{"clock", "sundial"}}, "policy: clock must be"},
      {{{"hidden_seed", -3}}, "policy: hidden_seed must be a whole number"},
      {{{"case_seconds", 0.09}}, "policy: case_seconds must be a number from 0.1 to 3600"},
      {{{"build_seconds", 3601}}, "policy: build_seconds must be a number from 1 to 3600"},
      {{{"job_seconds", 0}}, "policy: job_seconds must be a number from 1 to 86400"},
      {{{"memory_mib", 255}}, "policy: memory_mib must be a number from 256 to 1048576"},
  };
  for (const auto& [document, words] : wrong) {
    INFO(document.dump());
    CHECK_THAT(refusal_of(document), Catch::Matchers::StartsWith(words));
  }
}
