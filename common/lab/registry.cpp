#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "lab/keep_labs.hpp"

namespace lab {

namespace {

std::vector<entry>& registry() {
  static std::vector<entry> all;
  return all;
}

bool matches(const entry& lab, std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return std::stoi(lab.name) == number;
  return lab.name.find(text) != std::string::npos;
}

void require_whole_stages(const std::string& name, const lab_definition& definition) {
  std::vector<std::string> staged, all;
  for (const auto& one : definition.stages) staged.insert(staged.end(), one.launchers.begin(), one.launchers.end());
  for (const auto& one : definition.launchers) all.push_back(one.name);
  std::ranges::sort(staged);
  std::ranges::sort(all);
  if (!definition.stages.empty() && staged != all)
    throw std::logic_error(
        fmt::format("{}: the stages must hold each launcher once; they hold {}, the launchers are {}", name,
                    fmt::join(staged, ", "), fmt::join(all, ", ")));
}

void require_comparable(const std::string& name, const lab_definition& definition) {
  for (const auto& one : definition.launchers) {
    if (one.improves_on.empty()) continue;
    const auto before = std::ranges::find(definition.launchers, one.improves_on, &launcher_spec::name);
    if (before == definition.launchers.end() || before->parameters != one.parameters)
      throw std::logic_error(fmt::format("{}: {} improves on {}, which is no launcher of the lab with its parameters",
                                         name, one.name, one.improves_on));
  }
}

}  // namespace

const std::vector<entry>& labs() { return registry(); }

void keep_labs(const std::function<bool(const entry&)>& wanted) {
  std::erase_if(registry(), [&](const entry& lab) { return !wanted(lab); });
}

const entry& find(std::string_view text) {
  std::vector<const entry*> found;
  for (const auto& lab : labs()) {
    if (lab.name == text) return lab;
    if (matches(lab, text)) found.push_back(&lab);
  }
  if (found.size() == 1) return *found.front();
  std::vector<std::string> names;
  for (const auto* lab : found) names.push_back(lab->name);
  if (names.empty()) throw usage_error(fmt::format("no lab matches \"{}\"; './lab list' shows all labs", text));
  throw usage_error(fmt::format("\"{}\" matches several labs: {}", text, fmt::join(names, ", ")));
}

std::string number_of(const entry& lab) {
  const auto number = lab.name.substr(0, 2);
  return lab.stage ? fmt::format("{}.{}", number, lab.stage) : number;
}

std::string number_of(const std::string& lab, const std::string& launcher) {
  const auto at = std::ranges::find(labs(), lab, &entry::name);
  const int stage = at == labs().end() ? 0 : stage_with(at->definition, launcher);
  return stage ? fmt::format("{}.{}", lab.substr(0, 2), stage) : lab.substr(0, 2);
}

int stage_with(const lab_definition& lab, const std::string& launcher) {
  const auto at = std::ranges::find_if(
      lab.stages, [&](const stage& one) { return std::ranges::count(one.launchers, launcher) > 0; });
  return at == lab.stages.end() ? 0 : static_cast<int>(at - lab.stages.begin()) + 1;
}

bool runs_on(const entry& lab, backend_kind backend) {
  return std::ranges::find(lab.definition.backends, word(backend)) != lab.definition.backends.end();
}

const entry& stage_of(const entry& lab, int number) {
  static std::map<std::pair<std::string, int>, entry> made;
  const auto& stages = lab.definition.stages;
  if (stages.empty()) throw usage_error(fmt::format("{} has no stages; ./lab check {}", lab.name, number_of(lab)));
  if (number < 1 || number > static_cast<int>(stages.size()))
    throw usage_error(fmt::format("{} has {} stages, {}.1 to {}.{}; there is no stage {}", lab.name, stages.size(),
                                  number_of(lab), number_of(lab), stages.size(), number));
  const auto [at, is_new] = made.try_emplace({lab.name, number}, lab);
  if (is_new) {
    at->second.stage = number;
    std::erase_if(at->second.definition.launchers, [&](const launcher_spec& launcher) {
      return std::ranges::count(stages[number - 1].launchers, launcher.name) == 0;
    });
  }
  return at->second;
}

std::string folder_of(const char* source) { return std::filesystem::path{source}.parent_path().filename().string(); }

registration::registration(std::string name, lab_definition definition) {
  require_whole_stages(name, definition);
  require_comparable(name, definition);
  auto& all = registry();
  const auto at = std::ranges::lower_bound(all, name, {}, &entry::name);
  all.insert(at, {std::move(name), std::move(definition)});
}

}  // namespace lab
