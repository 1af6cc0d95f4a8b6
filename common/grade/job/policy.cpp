#include "grade/job/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "lab/lab_definition.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

// A JSON object that knows its place in the document, and which of its keys were asked for.
class reader {
 public:
  reader(const json& object, std::string place) : object_{object}, place_{std::move(place)} {
    if (!object.is_object()) fail("", "must be an object");
  }

  double number(const char* key, double otherwise, double least, double most) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most))
      fail(key, fmt::format("must be a number from {} to {}", least, most));
    return value->get<double>();
  }
  bool flag(const char* key, bool otherwise) {
    const auto* value = find(key);
    if (value && !value->is_boolean()) fail(key, "must be true or false");
    return value ? value->get<bool>() : otherwise;
  }
  std::string text(const char* key, const std::string& otherwise) {
    const auto* value = find(key);
    if (value && !value->is_string()) fail(key, "must be text");
    return value ? value->get<std::string>() : otherwise;
  }
  lab::problem_size one_size(const json& value, const char* key) const {
    const auto s = value.is_string() ? problem_size::parse(value.get<std::string>()) : std::nullopt;
    if (!s) fail(key, "must hold sizes such as \"2000x33\"");
    return *s;
  }
  const json* list(const char* key) {
    const auto* value = find(key);
    if (value && !value->is_array()) fail(key, "must be a list");
    return value;
  }
  const json* find(const char* key) {
    known_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }
  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw usage_error(fmt::format("policy: {}{}{} {}", place_, place_.empty() || key.empty() ? "" : ".",
                                  key.empty() && place_.empty() ? "the document" : key, what));
  }
  // A misspelt key would be a rule that silently does not hold.
  void finish() const {
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key)) fail(key, fmt::format("is unknown; known are {}", fmt::join(known_, ", ")));
  }
  std::string below(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

 private:
  const json& object_;
  std::string place_;
  std::set<std::string> known_;
};

speed_rule speed_from(const json& j, const std::string& place) {
  reader r{j, place};
  speed_rule s;
  s.launcher = r.text("launcher", "");
  const auto* at = r.find("size");
  s.size = r.one_size(at ? *at : json{}, "size");
  s.points = r.number("points", 1, 0, 1e6);
  s.zero_at = r.number("zero_at", s.zero_at, 0, 100);
  s.full_at = r.number("full_at", s.full_at, 0, 100);
  if (s.full_at <= s.zero_at) r.fail("full_at", "must be larger than zero_at");
  r.finish();
  return s;
}

lab_policy lab_from(const json& j, const std::string& place, lab_policy p) {
  reader r{j, place};
  p.points = r.number("points", p.points, 0, 1e6);
  p.partial = r.flag("partial", p.partial);
  p.gate_points = r.number("gate_points", p.gate_points, 0, 1e6);
  if (const auto* all = r.list("hidden_sizes")) {
    p.hidden.clear();
    for (const auto& one : *all) p.hidden.push_back(r.one_size(one, "hidden_sizes"));
  }
  if (const auto* all = r.list("speed")) {
    p.speed.clear();
    for (const auto& one : *all) p.speed.push_back(speed_from(one, r.below("speed")));
  }
  r.finish();
  return p;
}

late_policy late_from(const json& j) {
  reader r{j, "late"};
  late_policy p;
  p.deadline = time_from(r.text("deadline", ""));
  p.grace_minutes = r.number("grace_minutes", p.grace_minutes, 0, 1e6);
  p.percent_per_day = r.number("percent_per_day", p.percent_per_day, 0, 100);
  p.most_percent = r.number("most_percent", p.most_percent, 0, 100);
  if (const auto* times = r.find("times")) {
    if (!times->is_object()) r.fail("times", "must be an object of students and times");
    for (const auto& [student, time] : times->items())
      p.times[student] = time_from(time.is_string() ? time.get<std::string>() : "");
  }
  r.finish();
  return p;
}

void read_labs(policy& p, reader& r) {
  if (const auto* standard = r.find("default")) p.standard = lab_from(*standard, "default", p.standard);
  const auto* labs = r.find("labs");
  if (!labs) return;
  if (!labs->is_object()) r.fail("labs", "must be an object of labs");
  for (const auto& [name, rules] : labs->items()) {
    const auto& lab = find(name);
    p.labs[lab.name] = lab_from(rules, "labs." + name, p.standard);
    for (const auto& s : p.labs[lab.name].hidden)
      if (std::ranges::none_of(lab.definition.launchers, [&](const auto& c) { return c.axes.size() == s.axes(); }))
        r.fail("labs." + name + ".hidden_sizes", "has a size that does not fit the lab: " + s.name());
  }
}

}  // namespace

std::string_view word(speed_clock c) { return c == speed_clock::kernel ? "kernel" : "host"; }

const lab_policy& policy::of(const std::string& lab) const {
  const auto at = labs.find(lab);
  return at == labs.end() ? standard : at->second;
}

policy policy_from(const json& document) {
  reader r{document, ""};
  policy p;
  r.number("schema", 1, 1, 1);
  read_labs(p, r);
  if (const auto* late = r.find("late")) p.late = late_from(*late);
  const auto gates = r.text("gates", "advisory");
  if (gates != "advisory" && gates != "points") r.fail("gates", "must be \"advisory\" or \"points\"");
  p.gates = gates == "points" ? gate_use::points : gate_use::advisory;
  const auto clock = r.text("clock", "kernel");
  if (clock != "kernel" && clock != "host") r.fail("clock", "must be \"kernel\" or \"host\"");
  p.clock = clock == "host" ? speed_clock::host : speed_clock::kernel;
  if (const auto* seed = r.find("hidden_seed")) {
    if (!seed->is_number_unsigned()) r.fail("hidden_seed", "must be a whole number");
    p.hidden_seed = seed->get<std::uint64_t>() & ((1ull << 53) - 1);
  }
  p.case_seconds = r.number("case_seconds", p.case_seconds, 0.1, 3600);
  p.build_seconds = r.number("build_seconds", p.build_seconds, 1, 3600);
  p.job_seconds = r.number("job_seconds", p.job_seconds, 1, 86400);
  p.memory_mib = static_cast<std::size_t>(r.number("memory_mib", double(p.memory_mib), 256, 1 << 20));
  r.finish();
  return p;
}

lateness lateness_of(const late_policy& p, const std::string& student, std::time_t handed_in) {
  if (p.deadline == 0) return {};
  const auto known = p.times.find(student);
  const auto when = known == p.times.end() ? handed_in : known->second;
  const double late_s = double(when) - double(p.deadline) - p.grace_minutes * 60;
  if (late_s <= 0) return {};
  const double days = std::ceil(late_s / 86400);
  return {days, std::min(p.most_percent, days * p.percent_per_day)};
}

std::time_t time_from(const std::string& text) {
  std::tm t{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &t);
  if (!end || *end != '\0')
    throw usage_error(fmt::format("policy: \"{}\" is no time; write 2026-11-21T23:59:00Z (UTC)", text));
  return timegm(&t);
}

}  // namespace lab::grade
