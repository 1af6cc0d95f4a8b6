#include "grade/job/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "grade/job/policy_reader.hpp"
#include "lab/fitting_sizes.hpp"
#include "lab/lab_definition.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

constexpr double most_gib = 4;  // of arrays, as in a recording of launches

// Why a rule for this size and launcher cannot be applied to a lab; empty if it can.
std::string misfit(const entry& lab, const problem_size& size, const std::string& launcher = {}) {
  const auto& all = lab.definition.launchers;
  if (!launcher.empty() && std::ranges::find(all, launcher, &launcher_spec::name) == all.end()) {
    std::vector<std::string> names;
    for (const auto& one : all) names.push_back(one.name);
    return fmt::format("has no launcher {}; its launchers are {}", launcher, fmt::join(names, ", "));
  }
  const auto* takes = launcher_for(lab, size, launcher);
  if (!takes) return fmt::format("has a size that does not fit the lab: {}; {}", size.name(), sizes_taken(lab));
  if (const auto why = why_impossible(*takes, size); !why.empty())
    return fmt::format("has a size that the lab does not have: {}: {}", size.name(), why);
  if (const double gib = cost_at(*takes, size).bytes / (1 << 30); gib > most_gib)
    return fmt::format("has a size whose arrays take {:.0f} GiB: {}; write a smaller size, of at most {} GiB", gib,
                       size.name(), most_gib);
  return {};
}

speed_rule speed_from(const json& document, const std::string& place, mistake_list& mistakes) {
  object_reader reader{document, place, mistakes};
  speed_rule rule;
  rule.launcher = reader.text("launcher", "");
  const auto* at = reader.find("size");
  rule.size = reader.size(at ? *at : json{}, "size");
  rule.points = reader.number("points", 1, 0, 1e6);
  rule.zero_at = reader.number("zero_at", rule.zero_at, 0, 100);
  rule.full_at = reader.number("full_at", rule.full_at, 0, 100);
  rule.extra = reader.flag("extra", rule.extra);
  if (rule.full_at <= rule.zero_at) reader.fail("full_at", "must be larger than zero_at");
  reader.finish();
  return rule;
}

// A group that is not named weighs nothing.
case_weights weights_from(const json& document, const std::string& place, mistake_list& mistakes) {
  object_reader reader{document, place, mistakes};
  case_weights weights{0, 0, 0, 0};
  for (auto [key, weight] : {std::pair{"values", &weights.values}, std::pair{"hidden", &weights.hidden},
                             std::pair{"gates", &weights.gates}, std::pair{"speed", &weights.speed}})
    *weight = reader.number(key, 0, 0, 1e6);
  if (weights.values + weights.hidden + weights.gates + weights.speed == 0)
    reader.fail("", "are all 0; give one group of cases a weight, such as \"values\": 30");
  reader.finish();
  return weights;
}

gate_use gates_from(object_reader& reader, gate_use otherwise) {
  if (!reader.find("gates")) return otherwise;
  const auto use = reader.word("gates", {"points", "required", "advisory"});
  return use == "required" ? gate_use::required : use == "advisory" ? gate_use::advisory : gate_use::points;
}

// Rules that would have no effect, or that contradict each other.
void require_sense(const lab_policy& policy, const json& document, const std::string& place, mistake_list& mistakes) {
  const auto wants = [&](const char* group) {
    const auto weights = document.is_object() ? document.value("weights", json::object()) : json::object();
    const auto at = weights.is_object() ? weights.find(group) : weights.end();
    return weights.is_object() && at != weights.end() && at->is_number() && at->get<double>() > 0;
  };
  if (wants("gates") && policy.gates == gate_use::advisory)
    mistakes.add(place + ".weights.gates", "has no effect with \"gates\": \"advisory\"; remove one of them");
  if (wants("gates") && policy.gate_points > 0)
    mistakes.add(place + ".weights.gates", "and gate_points both give points for gates; remove one of them");
  if (wants("speed") && std::ranges::all_of(policy.speed, &speed_rule::extra))
    mistakes.add(place + ".weights.speed", "needs a rule in \"speed\" that is no extra credit");
  if (policy.most_extra < 1e6 && std::ranges::none_of(policy.speed, &speed_rule::extra))
    mistakes.add(place + ".most_extra", "limits nothing; give a rule in \"speed\" the key \"extra\": true");
}

late_policy late_from(const json& document, const std::string& place, late_policy policy, mistake_list& mistakes) {
  object_reader reader{document, place, mistakes};
  const auto time = [&](const std::string& key, const std::string& text) {
    const auto known = time_from(text);
    if (!known) reader.fail(key, fmt::format("is \"{}\", which is not a time; write 2026-11-21T23:59:00Z (UTC)", text));
    return known.value_or(0);
  };
  if (reader.find("deadline"))
    policy.deadline = time("deadline", reader.text("deadline", ""));
  else if (policy.deadline == 0)
    reader.fail("deadline", "is missing; write \"deadline\": \"2026-11-21T23:59:00Z\" (UTC)");
  policy.grace_minutes = reader.number("grace_minutes", policy.grace_minutes, 0, 1e6);
  policy.percent_per_day = reader.number("percent_per_day", policy.percent_per_day, 0, 100);
  policy.most_percent = reader.number("most_percent", policy.most_percent, 0, 100);
  if (const auto* times = reader.object("times"))
    for (const auto& [student, at] : times->items())
      policy.times[student] = time("times." + student, at.is_string() ? at.get<std::string>() : at.dump());
  reader.finish();
  return policy;
}

// The keys that "default" has beside the document's own "gates" and "late" are those that a lab has, too.
enum class rules_of { all_labs, one_lab };

lab_policy lab_from(const json& document, const std::string& place, lab_policy policy, rules_of whom,
                    mistake_list& mistakes) {
  object_reader reader{document, place, mistakes};
  policy.points = reader.number("points", policy.points, 0, 1e6);
  policy.partial = reader.flag("partial", policy.partial);
  policy.gate_points = reader.number("gate_points", policy.gate_points, 0, 1e6);
  if (const auto* all = reader.list("hidden_sizes")) {
    policy.hidden.clear();
    for (const auto& one : *all)
      if (const auto size = reader.size(one, "hidden_sizes"); size.axes() > 0) policy.hidden.push_back(size);
  }
  policy.fresh = static_cast<unsigned>(reader.number("fresh_sizes", policy.fresh, 0, 20));
  if (const auto* all = reader.list("speed")) {
    policy.speed.clear();
    for (const auto& one : *all) policy.speed.push_back(speed_from(one, reader.below("speed"), mistakes));
  }
  policy.most_extra = reader.number("most_extra", policy.most_extra, 0, 1e6);
  if (const auto* weights = reader.find("weights"))
    policy.weights = weights_from(*weights, reader.below("weights"), mistakes);
  if (whom == rules_of::one_lab) {
    policy.gates = gates_from(reader, policy.gates);
    if (const auto* late = reader.find("late"))
      policy.late = late_from(*late, reader.below("late"), policy.late, mistakes);
  }
  reader.finish();
  require_sense(policy, document, place, mistakes);
  return policy;
}

// A rule for all labs counts where it fits. One that fits no lab is a mistake.
void require_a_lab_for_each(const lab_policy& standard, mistake_list& mistakes) {
  const auto fits_any = [](const problem_size& size, const std::string& launcher) {
    return std::ranges::any_of(lab::labs(), [&](const auto& lab) { return misfit(lab, size, launcher).empty(); });
  };
  const auto remedy = "write a size of a lab, which ./lab list --json shows";
  for (const auto& size : standard.hidden)
    if (!fits_any(size, ""))
      mistakes.add("default.hidden_sizes", fmt::format("has a size that fits no lab: {}; {}", size.name(), remedy));
  for (const auto& rule : standard.speed)
    if (!fits_any(rule.size, rule.launcher))
      mistakes.add("default.speed",
                   fmt::format("fits no lab: size {} {}; {}", rule.size.name(), rule.launcher, remedy));
}

void require_fit(const entry& lab, const lab_policy& rules, const std::string& place, mistake_list& mistakes) {
  for (const auto& size : rules.hidden)
    if (const auto why = misfit(lab, size); !why.empty()) mistakes.add(place + ".hidden_sizes", why);
  for (const auto& rule : rules.speed)
    if (const auto why = misfit(lab, rule.size, rule.launcher); !why.empty()) mistakes.add(place + ".speed", why);
}

lab_policy fitted(const entry& lab, lab_policy rules) {
  std::erase_if(rules.hidden, [&](const auto& size) { return !misfit(lab, size).empty(); });
  std::erase_if(rules.speed, [&](const auto& rule) { return !misfit(lab, rule.size, rule.launcher).empty(); });
  return rules;
}

std::optional<std::uint64_t> seed_from(object_reader& reader, const char* key) {
  const auto* seed = reader.find(key);
  if (seed && seed->is_number_unsigned()) return seed->get<std::uint64_t>() & ((1ull << 53) - 1);
  if (seed) reader.fail(key, "must be a whole number");
  return std::nullopt;
}

void read_labs(grading_policy& policy, object_reader& reader) {
  auto& mistakes = reader.mistakes();
  auto& standard = policy.standard;
  standard.gates = gates_from(reader, standard.gates);
  if (const auto* late = reader.find("late")) standard.late = late_from(*late, "late", standard.late, mistakes);
  if (const auto* document = reader.find("default"))
    standard = lab_from(*document, "default", standard, rules_of::all_labs, mistakes);
  require_a_lab_for_each(standard, mistakes);
  for (const auto& lab : lab::labs()) policy.labs[lab.name] = fitted(lab, standard);
  const auto* labs = reader.object("labs");
  if (!labs) return;
  std::set<std::string> named;
  for (const auto& [name, rules] : labs->items()) try {
      const auto& lab = find(name);
      const auto place = reader.below("labs." + name);
      if (!named.insert(lab.name).second) mistakes.add(place, "names " + lab.name + " again; join its rules");
      policy.labs[lab.name] = lab_from(rules, place, policy.labs[lab.name], rules_of::one_lab, mistakes);
      require_fit(lab, policy.labs[lab.name], place, mistakes);
    } catch (const usage_error& unknown) {
      mistakes.add("labs." + name, std::string{"names no lab: "} + unknown.what());
    }
}

}  // namespace

std::string_view word(gate_use use) {
  return use == gate_use::points ? "points" : use == gate_use::required ? "required" : "advisory";
}

std::string gates_in_words(const grading_policy& policy, const std::vector<std::string>& labs) {
  std::map<gate_use, std::vector<std::string>> by_use;
  for (const auto& lab : labs) by_use[policy.of(lab).gates].push_back(lab.substr(0, 2));
  const auto meaning = [](gate_use use) {
    return use == gate_use::points     ? "count: a kernel that misses a gate or has a hazard loses their share"
           : use == gate_use::required ? "are required: a kernel that misses a gate or has a hazard earns no points"
                                       : "are advice and change no points";
  };
  std::vector<std::string> lines;
  for (const auto& [use, names] : by_use)
    lines.push_back(fmt::format("gates of {} {}", fmt::join(names, ", "), meaning(use)));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

const launcher_spec* launcher_for(const entry& lab, const problem_size& size, const std::string& name) {
  const auto takes = [&](const launcher_spec& one) {
    return (name.empty() || one.name == name) && fits(size, one) && !refused(one, size);
  };
  const auto& all = lab.definition.launchers;
  const auto found = std::ranges::find_if(all, takes);
  return found == all.end() ? nullptr : &*found;
}

std::string_view word(speed_clock clock) { return clock == speed_clock::kernel ? "kernel" : "host"; }

const lab_policy& grading_policy::of(const std::string& lab) const {
  const auto at = labs.find(lab);
  return at == labs.end() ? standard : at->second;
}

grading_policy policy_from(const json& document, const std::string& file, const std::string& text) {
  mistake_list mistakes{file, text};
  object_reader reader{document, "", mistakes};
  grading_policy policy;
  reader.number("schema", 1, 1, 1);
  read_labs(policy, reader);
  policy.clock = reader.word("clock", {"kernel", "host"}) == "host" ? speed_clock::host : speed_clock::kernel;
  const auto board = reader.word("leaderboard", {"none", "traffic", "speed"});
  policy.leaderboard = board == "traffic" ? leaderboard_kind::traffic
                       : board == "speed" ? leaderboard_kind::speed
                                          : leaderboard_kind::none;
  policy.seed = seed_from(reader, "seed");
  policy.hidden_seed = seed_from(reader, "hidden_seed");
  policy.case_seconds = reader.number("case_seconds", policy.case_seconds, 0.1, 3600);
  policy.build_seconds = reader.number("build_seconds", policy.build_seconds, 1, 3600);
  policy.job_seconds = reader.number("job_seconds", policy.job_seconds, 1, 86400);
  policy.memory_mib = static_cast<std::size_t>(reader.number("memory_mib", double(policy.memory_mib), 256, 1 << 20));
  reader.finish();
  mistakes.throw_if_any();
  return policy;
}

std::optional<std::time_t> time_from(const std::string& text) {
  std::tm time{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (!end || *end != '\0') return std::nullopt;
  return timegm(&time);
}

}  // namespace lab::grade
