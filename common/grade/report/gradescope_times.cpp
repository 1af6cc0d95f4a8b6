#include "grade/report/gradescope_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lab::grade {

using nlohmann::json;

namespace {

// A policy's times sort like text.
std::optional<std::string> time_in(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? utc_from(at->get<std::string>()) : std::nullopt;
}

std::optional<std::string> due_date_in(const json& metadata) {
  auto due = time_in(metadata.value("assignment", json::object()), "due_date");
  for (const auto& user : metadata.value("users", json::array()))
    due = std::max(due, time_in(user.value("assignment", json::object()), "due_date"));
  return due;
}

}  // namespace

std::optional<std::string> utc_from(const std::string& time) {
  std::tm local{};
  const char* rest = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &local);
  if (!rest) return std::nullopt;
  bool begun = false;
  if (*rest == '.')
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest) begun = begun || *rest != '0';
  std::tm zone{};
  const char* end = strptime(rest, "%z", &zone);
  if (!end || *end != '\0') return std::nullopt;
  const std::time_t seconds = timegm(&local) - zone.tm_gmtoff + (begun ? 1 : 0);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

json with_gradescope_times(json rules, const json& metadata, const std::string& student) {
  const auto punctual = [&](json& rule) {
    if (!rule.is_object() || !rule.contains("late")) return;
    const auto created = time_in(metadata, "created_at");
    if (!created) throw std::runtime_error("Gradescope's metadata has no time \"created_at\"");
    if (const auto due = due_date_in(metadata)) rule["late"]["deadline"] = *due;
    rule["late"]["times"] = {{student, *created}};
  };
  punctual(rules);
  if (rules.is_object() && rules.contains("labs"))
    for (auto& own : rules["labs"]) punctual(own);
  return rules;
}

}  // namespace lab::grade
