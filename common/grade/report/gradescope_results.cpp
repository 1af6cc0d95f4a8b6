#include "grade/report/gradescope_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "lab/gate.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

std::string number_of(const row& graded) { return graded.lab.substr(0, graded.lab.find('_')); }

std::string penalty_of(const row& graded) {
  if (graded.penalty == 0) return "";
  return fmt::format("{:g} day{} late: {:g}% of the points are lost\n", graded.late_days,
                     graded.late_days == 1 ? "" : "s", graded.penalty);
}

// Every public case in a line, then the message of the first one that failed.
std::string cases_of(const row& graded) {
  std::string lines, failure;
  for (const auto& tested : graded.cases) {
    lines += fmt::format("  {:<12} {}\n", word(tested.verdict), tested.name);
    const bool failed = tested.verdict != verdict_kind::pass && tested.verdict != verdict_kind::skipped;
    if (failed && failure.empty()) failure = fmt::format("\n{}\n{}\n", tested.name, tested.message);
  }
  return lines + failure;
}

std::string shown_output_of(const row& graded) {
  std::string text{word(graded.verdict)};
  if (!graded.message.empty()) text += ": " + graded.message;
  text += "\n" + penalty_of(graded) + cases_of(graded);
  if (graded.hidden_total > 0)
    text += fmt::format("{} of {} hidden cases passed.\n", graded.hidden_passed, graded.hidden_total);
  return sanitize::log(text);
}

json test_of(const row& graded) {
  return {{"number", number_of(graded)},
          {"name", graded.lab},
          {"name_format", "text"},
          {"score", all_points(graded)},
          {"max_score", graded.max_points},
          {"status", graded.verdict == verdict_kind::pass ? "passed" : "failed"},
          {"output", shown_output_of(graded)},
          {"output_format", "text"},
          {"visibility", "visible"}};
}

// One column for each lab: the sectors that its last gate on them counts, or else the count of its last gate.
void add_traffic(json& board, const row& graded) {
  if (graded.traffic.empty()) return;
  auto shown = std::find_if(graded.traffic.rbegin(), graded.traffic.rend(),
                            [](const traffic_row& one) { return one.metric == word(traffic::load_sectors); });
  if (shown == graded.traffic.rend()) shown = graded.traffic.rbegin();
  board.push_back({{"name", fmt::format("{} {} {}", number_of(graded), shown->metric, shown->size)},
                   {"value", shown->value},
                   {"order", "asc"}});
}

void add_speed(json& board, const row& graded) {
  for (const auto& timed : graded.speed)
    if (!timed.too_short)
      board.push_back({{"name", fmt::format("{} speed {}", number_of(graded), timed.size)},
                       {"value", timed.ratio},
                       {"order", "desc"}});
}

json leaderboard_of(const std::vector<row>& rows, leaderboard_kind board) {
  json columns = json::array();
  for (const auto& graded : rows) {
    if (graded.verdict != verdict_kind::pass) continue;
    if (board == leaderboard_kind::traffic) add_traffic(columns, graded);
    if (board == leaderboard_kind::speed) add_speed(columns, graded);
  }
  return columns;
}

}  // namespace

json gradescope_results(const std::vector<row>& rows, leaderboard_kind board) {
  json tests = json::array();
  for (const auto& graded : rows) tests.push_back(test_of(graded));
  const auto sum = [&](const auto& part) {
    return std::accumulate(rows.begin(), rows.end(), 0.0,
                           [&](double all, const row& one) { return all + std::invoke(part, one); });
  };
  const bool unsure = std::ranges::count(rows, verdict_kind::infra_error, &row::verdict) > 0;
  json all{
      {"score", sum(all_points)},
      {"execution_time", std::ceil(sum(&row::seconds))},
      {"output", unsure ? "Some labs could not be graded. Your submission is not the cause. Ask your teacher." : ""},
      {"output_format", "text"},
      {"visibility", "visible"},
      {"stdout_visibility", "hidden"},
      {"tests", std::move(tests)}};
  if (auto columns = leaderboard_of(rows, board); !columns.empty()) all["leaderboard"] = std::move(columns);
  return all;
}

}  // namespace lab::grade
