#include "sim/runtime/report/executed_places.hpp"

#include <map>
#include <tuple>

#include "sim/runtime/report/access_words.hpp"
#include "sim/runtime/symbols/source_lines.hpp"

namespace lab::sim::trace {

nlohmann::ordered_json executed_places(const launch_record& record) {
  std::map<std::tuple<std::string, int, std::string, std::string>, bool> places;
  const auto note = [&](const void* pc, const char* op, const char* where, bool repeated) {
    const auto at = line_of(pc);
    places[{at.file, at.line, op, where}] |= repeated;
  };
  for (const auto& s : record.sites) note(s.pc, word(s.op), word(s.where), s.repeated);
  for (const auto& b : record.barriers) note(b.pc, "barrier", "", b.repeated);
  auto all = nlohmann::ordered_json::array();
  for (const auto& [place, repeated] : places)
    all.push_back({{"file", std::get<0>(place)},
                   {"line", std::get<1>(place)},
                   {"op", std::get<2>(place)},
                   {"space", std::get<3>(place)},
                   {"repeated", repeated}});
  return all;
}

}  // namespace lab::sim::trace
