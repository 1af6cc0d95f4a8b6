#include "grade/report/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "lab/lab_definition.hpp"
#include "text/counted.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::vector<row> rows_in(const json& document) {
  std::vector<row> rows;
  for (const auto& one : document.at("rows")) rows.push_back(row_from(one));
  return rows;
}

bool known_and_different(const std::string& before, const std::string& after) {
  return !before.empty() && !after.empty() && before != after;
}

// What a row depends on. Gradings by an older version know no fingerprints.
std::vector<std::string> reasons(const row& before, const row& after, bool other_version) {
  std::vector<std::string> all;
  const auto add = [&](bool different, const char* reason) {
    if (different) all.emplace_back(reason);
  };
  add(known_and_different(before.source, after.source) || before.source.empty() != after.source.empty(),
      "another source");
  add(known_and_different(before.policy, after.policy), "another policy");
  add(before.seed != after.seed, "another seed");
  add(before.late_days != after.late_days && before.policy == after.policy, "another time of submission");
  add(before.backend != after.backend, "another back end");
  add(before.sandbox_level != after.sandbox_level, "another sandbox level");
  add(other_version, "another version of Kernel Lab");
  return all;
}

bool same_result(const row& before, const row& after) {
  return before.points == after.points && before.extra == after.extra && before.max_points == after.max_points &&
         before.verdict == after.verdict && diagnosis_of(before) == diagnosis_of(after);
}

bool same(const row& before, const row& after) {
  return same_result(before, after) && before.seed == after.seed && !known_and_different(before.policy, after.policy) &&
         !known_and_different(before.source, after.source);
}

std::vector<rule_change> changed_rules(const std::optional<json>& before, const std::optional<json>& after) {
  if (!before || !after) return {};
  const auto flat = [](const json& rules) { return rules.empty() ? json::object() : rules.flatten(); };
  const auto first = flat(*before), second = flat(*after);
  std::map<std::string, rule_change> changes;
  for (const auto& [key, value] : first.items()) changes[key].before = value.dump();
  for (const auto& [key, value] : second.items()) changes[key].after = value.dump();
  std::vector<rule_change> all;
  for (auto& [key, change] : changes) {
    if (change.before == change.after) continue;
    change.key = key.substr(1);
    std::ranges::replace(change.key, '/', '.');
    all.push_back(change);
  }
  return all;
}

std::string arrow(const std::string& before, const std::string& after, const char* unit = "") {
  return before == after ? "" : fmt::format("{} -> {}{}", before, after, unit);
}

std::string points_in_words(const row& one) {
  return one.extra > 0 ? fmt::format("{}+{}", one.points, one.extra) : fmt::format("{}", one.points);
}

std::string line_of(const row_change& change) {
  const auto& any = change.before ? *change.before : *change.after;
  const auto head = fmt::format("{} {}: ", sanitize::log(any.student), any.lab);
  if (!change.after)
    return head + fmt::format("removed; it had {} points, {}", points_in_words(any), word(any.verdict));
  if (!change.before) return head + fmt::format("new; {} points, {}", points_in_words(any), word(any.verdict));
  const auto &a = *change.before, &b = *change.after;
  std::vector<std::string> parts{arrow(points_in_words(a), points_in_words(b), " points"),
                                 arrow(fmt::format("{}", a.max_points), fmt::format("{}", b.max_points), " at most"),
                                 arrow(std::string{word(a.verdict)}, std::string{word(b.verdict)}),
                                 arrow(diagnosis_of(a), diagnosis_of(b))};
  std::erase(parts, "");
  const auto what = parts.empty() ? std::string{"the same result"} : fmt::format("{}", fmt::join(parts, ", "));
  const auto why = change.because.empty()
                       ? std::string{"source, policy and seed are the same: look for a time limit or a race"}
                       : fmt::format("{}", fmt::join(change.because, ", "));
  return head + what + "; because: " + why;
}

json to_json(const std::optional<row>& one) {
  if (!one) return nullptr;
  return {{"points", one->points},         {"max_points", one->max_points},   {"extra", one->extra},
          {"verdict", word(one->verdict)}, {"diagnosis", diagnosis_of(*one)}, {"seed", one->seed},
          {"policy", one->policy},         {"source", one->source},           {"penalty", one->penalty}};
}

}  // namespace

finished_grading grading_at(const fs::path& place) {
  const auto file = fs::is_directory(place) ? place / "grades.json" : place;
  if (!fs::is_regular_file(file))
    throw usage_error(fmt::format("{} is no grading: give a folder of --out, or its grades.json", place.string()));
  try {
    const auto document = json::parse(read_whole(file));
    finished_grading grading{file.string(), document.value("version", ""), rows_in(document)};
    const auto plan = file.parent_path() / ".grade/plan.json";
    if (fs::is_regular_file(plan)) grading.rules = json::parse(read_whole(plan)).at("rules");
    return grading;
  } catch (const std::exception& error) {
    throw usage_error(fmt::format("{} is no grades.json: {}", file.string(), sanitize::line(error.what())));
  }
}

grading_comparison compare(const finished_grading& before, const finished_grading& after) {
  grading_comparison all{before.place, after.place, changed_rules(before.rules, after.rules)};
  std::map<std::pair<std::string, std::string>, row_change> changes;
  for (const auto& one : before.rows) changes[{one.student, one.lab}].before = one;
  for (const auto& one : after.rows) changes[{one.student, one.lab}].after = one;
  for (auto& [place, change] : changes) {
    if (change.before && change.after) {
      if (same(*change.before, *change.after)) {
        ++all.equal;
        continue;
      }
      change.because = reasons(*change.before, *change.after, before.version != after.version);
    }
    all.rows.push_back(change);
  }
  return all;
}

std::string in_words(const grading_comparison& all) {
  std::string text;
  for (const auto& rule : all.rules)
    text += fmt::format("policy: {}: {} -> {}\n", sanitize::log(rule.key), rule.before.empty() ? "-" : rule.before,
                        rule.after.empty() ? "-" : rule.after);
  for (const auto& change : all.rows) text += line_of(change) + "\n";
  return text + fmt::format("{} {}, {} {} equal", counted(all.rows.size(), "row"),
                            all.rows.size() == 1 ? "differs" : "differ", all.equal, all.equal == 1 ? "is" : "are");
}

json to_json(const grading_comparison& all) {
  json rules = json::array(), rows = json::array();
  for (const auto& [key, before, after] : all.rules) {
    const auto value = [](const std::string& text) { return text.empty() ? json{} : json::parse(text); };
    rules.push_back({{"key", key}, {"before", value(before)}, {"after", value(after)}});
  }
  for (const auto& [before, after, because] : all.rows) {
    const auto& any = before ? *before : *after;
    rows.push_back({{"student", any.student},
                    {"lab", any.lab},
                    {"before", to_json(before)},
                    {"after", to_json(after)},
                    {"because", because}});
  }
  return {{"schema", 1},     {"before", all.before}, {"after", all.after},
          {"policy", rules}, {"rows", rows},         {"equal", all.equal}};
}

}  // namespace lab::grade
