#include "trace/coverage.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace lab::judge {

namespace {

std::set<executed_place> places_of(const trace_report& report) {
  std::set<executed_place> all;
  for (const auto& one : report.launches)
    for (const auto& place : one.executed) {
      executed_place found{one.kernel, place.file, place.line, place.op, place.space, false};
      all.insert(found);
      found.repeated = true;
      if (place.repeated) all.insert(found);
    }
  return all;
}

// "31-35, 40"
std::string ranges(const std::set<int>& lines) {
  std::string text;
  for (auto at = lines.begin(); at != lines.end();) {
    const int first = *at;
    int last = first;
    while (++at != lines.end() && *at == last + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last > first) text += fmt::format("-{}", last);
  }
  return text;
}

}  // namespace

void coverage::add(const trace_report& report) { places_.merge(places_of(report)); }

std::vector<executed_place> coverage::missing(const trace_report& report) const {
  std::vector<executed_place> all;
  for (const auto& place : places_of(report))
    if (!places_.contains(place)) all.push_back(place);
  return all;
}

std::string lines_of(const std::vector<executed_place>& places) {
  std::map<std::string, std::set<int>> lines;
  for (const auto& place : places) lines[place.file].insert(place.line);
  std::string text;
  for (const auto& [file, numbers] : lines)
    text += fmt::format("{}{}:{}", text.empty() ? "" : "; ", file, ranges(numbers));
  return text;
}

nlohmann::json to_json(const executed_place& place) {
  return {{"kernel", place.kernel}, {"file", place.file},   {"line", place.line},
          {"op", place.op},         {"space", place.space}, {"repeated", place.repeated}};
}

}  // namespace lab::judge
