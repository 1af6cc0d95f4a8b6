#include "grade/job/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/lab_definition.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

// Reads one JSON object. It knows the object's place in the document and the keys that have been read.
class object_reader {
 public:
  object_reader(const json& object, std::string place) : object_{object}, place_{std::move(place)} {
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
    const auto size = value.is_string() ? problem_size::parse(value.get<std::string>()) : std::nullopt;
    if (!size) fail(key, "must hold sizes such as \"2000x33\"");
    return *size;
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
  [[noreturn]] void fail(const std::string& key, const std::string& mistake) const {
    throw usage_error(fmt::format("policy: {}{}{} {}", place_, place_.empty() || key.empty() ? "" : ".",
                                  key.empty() && place_.empty() ? "the document" : key, mistake));
  }
  // Refuses unknown keys: a misspelled rule would silently have no effect.
  void finish() const {
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key)) fail(key, fmt::format("is unknown; the known keys are {}", fmt::join(known_, ", ")));
  }
  std::string below(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

 private:
  const json& object_;
  std::string place_;
  std::set<std::string> known_;
};

speed_rule speed_from(const json& document, const std::string& place) {
  object_reader reader{document, place};
  speed_rule rule;
  rule.launcher = reader.text("launcher", "");
  const auto* at = reader.find("size");
  rule.size = reader.one_size(at ? *at : json{}, "size");
  rule.points = reader.number("points", 1, 0, 1e6);
  rule.zero_at = reader.number("zero_at", rule.zero_at, 0, 100);
  rule.full_at = reader.number("full_at", rule.full_at, 0, 100);
  if (rule.full_at <= rule.zero_at) reader.fail("full_at", "must be larger than zero_at");
  reader.finish();
  return rule;
}

lab_policy lab_from(const json& document, const std::string& place, lab_policy policy) {
  object_reader reader{document, place};
  policy.points = reader.number("points", policy.points, 0, 1e6);
  policy.partial = reader.flag("partial", policy.partial);
  policy.gate_points = reader.number("gate_points", policy.gate_points, 0, 1e6);
  if (const auto* all = reader.list("hidden_sizes")) {
    policy.hidden.clear();
    for (const auto& one : *all) policy.hidden.push_back(reader.one_size(one, "hidden_sizes"));
  }
  if (const auto* all = reader.list("speed")) {
    policy.speed.clear();
    for (const auto& one : *all) policy.speed.push_back(speed_from(one, reader.below("speed")));
  }
  reader.finish();
  return policy;
}

late_policy late_from(const json& document) {
  object_reader reader{document, "late"};
  late_policy policy;
  policy.deadline = time_from(reader.text("deadline", ""));
  policy.grace_minutes = reader.number("grace_minutes", policy.grace_minutes, 0, 1e6);
  policy.percent_per_day = reader.number("percent_per_day", policy.percent_per_day, 0, 100);
  policy.most_percent = reader.number("most_percent", policy.most_percent, 0, 100);
  if (const auto* times = reader.find("times")) {
    if (!times->is_object()) reader.fail("times", "must be an object of students and times");
    for (const auto& [student, time] : times->items())
      policy.times[student] = time_from(time.is_string() ? time.get<std::string>() : "");
  }
  reader.finish();
  return policy;
}

void read_labs(grading_policy& policy, object_reader& reader) {
  if (const auto* standard = reader.find("default")) policy.standard = lab_from(*standard, "default", policy.standard);
  const auto* labs = reader.find("labs");
  if (!labs) return;
  if (!labs->is_object()) reader.fail("labs", "must be an object of labs");
  for (const auto& [name, rules] : labs->items()) {
    const auto& lab = find(name);
    policy.labs[lab.name] = lab_from(rules, "labs." + name, policy.standard);
    for (const auto& size : policy.labs[lab.name].hidden)
      if (std::ranges::none_of(lab.definition.launchers,
                               [&](const auto& launcher) { return launcher.axes.size() == size.axes(); }))
        reader.fail("labs." + name + ".hidden_sizes", "has a size that does not fit the lab: " + size.name());
  }
}

}  // namespace

std::string_view word(speed_clock clock) { return clock == speed_clock::kernel ? "kernel" : "host"; }

const lab_policy& grading_policy::of(const std::string& lab) const {
  const auto at = labs.find(lab);
  return at == labs.end() ? standard : at->second;
}

grading_policy policy_from(const json& document) {
  object_reader reader{document, ""};
  grading_policy policy;
  reader.number("schema", 1, 1, 1);
  read_labs(policy, reader);
  if (const auto* late = reader.find("late")) policy.late = late_from(*late);
  const auto gates = reader.text("gates", "advisory");
  if (gates != "advisory" && gates != "points") reader.fail("gates", "must be \"advisory\" or \"points\"");
  policy.gates = gates == "points" ? gate_use::points : gate_use::advisory;
  const auto clock = reader.text("clock", "kernel");
  if (clock != "kernel" && clock != "host") reader.fail("clock", "must be \"kernel\" or \"host\"");
  policy.clock = clock == "host" ? speed_clock::host : speed_clock::kernel;
  if (const auto* seed = reader.find("hidden_seed")) {
    if (!seed->is_number_unsigned()) reader.fail("hidden_seed", "must be a whole number");
    policy.hidden_seed = seed->get<std::uint64_t>() & ((1ull << 53) - 1);
  }
  policy.case_seconds = reader.number("case_seconds", policy.case_seconds, 0.1, 3600);
  policy.build_seconds = reader.number("build_seconds", policy.build_seconds, 1, 3600);
  policy.job_seconds = reader.number("job_seconds", policy.job_seconds, 1, 86400);
  policy.memory_mib = static_cast<std::size_t>(reader.number("memory_mib", double(policy.memory_mib), 256, 1 << 20));
  reader.finish();
  return policy;
}

std::time_t time_from(const std::string& text) {
  std::tm time{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (!end || *end != '\0')
    throw usage_error(fmt::format("policy: \"{}\" is not a time; write 2026-11-21T23:59:00Z (UTC)", text));
  return timegm(&time);
}

}  // namespace lab::grade
