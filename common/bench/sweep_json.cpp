#include <nlohmann/json.hpp>

#include "bench/sweep.hpp"
#include "support/installation.hpp"
#include "text/utf8_json.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json times_json(const samples& times) {
  return {{"median", times.median}, {"min", times.min}, {"p95", times.p95}, {"samples", times.count}};
}

json to_json(const sweep_row& row, const std::vector<swept_constant>& constants) {
  const auto& found = row.found;
  json values = json::object();
  for (std::size_t i = 0; i < constants.size(); ++i) values[constants[i].name] = row.values[i];
  json document = {{"values", values},
                   {"launcher", found.launcher},
                   {"size", found.size},
                   {"verdict", word(found.verdict)},
                   {"message", as_utf8(found.message)},
                   {"best", row.best}};
  if (!measured(row)) return document;
  if (!found.counted.empty())
    document.update({{"counts", to_json(found.counted[0])}, {"occupancy", found.counted[0].occupancy}});
  if (found.cold.count > 0)
    document.update(
        {{"kernel_ms", times_json(found.cold)}, {"gbytes_per_s", found.gbytes_per_s}, {"gflops", found.gflops}});
  return document;
}

}  // namespace

json to_json(const sweep_result& result) {
  json constants = json::array(), rows = json::array();
  for (const auto& one : result.constants)
    constants.push_back({{"name", one.name}, {"line", one.line}, {"value", one.value}, {"values", one.values}});
  for (const auto& row : result.rows) rows.push_back(to_json(row, result.constants));
  return {{"schema", 1},
          {"version", version()},
          {"lab", result.lab},
          {"variant", result.variant},
          {"backend", word(result.backend)},
          {"date", result.date},
          {"device", result.device},
          {"constants", constants},
          {"results", rows}};
}

}  // namespace lab::judge
