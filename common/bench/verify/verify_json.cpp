#include <nlohmann/json.hpp>

#include "bench/verify/verify.hpp"
#include "support/installation.hpp"
#include "text/utf8_json.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json verified_document(const verified_row& row) {
  json document = {{"lab", row.lab},   {"variant", row.variant},       {"launcher", row.launcher},
                   {"size", row.size}, {"verdict", word(row.verdict)}, {"message", as_utf8(row.message)}};
  if (row.verdict != verdict_kind::pass) return document;
  document.update({{"first_ms", to_json(row.first)},
                   {"second_clock", word(row.clock)},
                   {"why_no_ncu", as_utf8(row.why_no_ncu)},
                   {"head_start", head_start_word(row.head_start)},
                   {"judged", row.judged()},
                   {"varies", row.varies()},
                   {"differs", row.differs()}});
  if (row.clock != second_clock::none) document.update({{"second_ms", to_json(row.second)}, {"ratio", row.ratio()}});
  return document;
}

}  // namespace

json to_json(const verification& result) {
  json rows = json::array();
  for (const auto& row : result.rows) rows.push_back(verified_document(row));
  return {{"schema", 1},
          {"version", version()},
          {"date", result.date},
          {"device", result.device},
          {"differ_by", clocks_differ_by},
          {"least_judged_ms", least_judged_ms},
          {"vary_by", calls_vary_by},
          {"results", rows}};
}

}  // namespace lab::judge
