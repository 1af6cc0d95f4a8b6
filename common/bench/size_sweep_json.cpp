#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/size_sweep.hpp"
#include "support/installation.hpp"
#include "text/utf8_json.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json rival_document(const size_rival& one) {
  return {{"name", one.name},
          {"ms", one.ms},
          {"ratio", one.ratio.median},
          {"ratio_low", one.ratio.min},
          {"ratio_high", one.ratio.p95},
          {"head_start", head_start_word(one.head_start)},
          {"judged", one.judged}};
}

json row_document(const size_row& row) {
  json document = {{"size", row.at.size.name()},   {"arrays", placement_word(row.at.placement)},
                   {"bytes", row.cost.bytes},      {"operations", row.cost.operations},
                   {"verdict", word(row.verdict)}, {"message", as_utf8(row.message)}};
  if (row.verdict != verdict_kind::pass) return document;
  json rivals = json::array();
  for (const auto& one : row.rivals) rivals.push_back(rival_document(one));
  document.update({{"kernel_ms", to_json(row.ours)},
                   {"noise", {row.against_itself.min, row.against_itself.p95}},
                   {"head_start", head_start_word(row.head_start)},
                   {"rivals", rivals}});
  if (const auto* best = row.best())
    document.update({{"best", best->name}, {"ratio", best->ratio.median}, {"loses", loses(row)}});
  return document;
}

json place_document(const size_row& row) {
  return {{"size", row.at.size.name()},
          {"arrays", placement_word(row.at.placement)},
          {"best", row.best()->name},
          {"ratio", row.best()->ratio.median}};
}

// How the kernel compares with each rival alone.
json rivals_document(const size_sweep_result& result) {
  struct over_sizes {
    bool judged = true;
    double logarithms = 0, worst = 0;
    std::string where{};
    int sizes = 0;
  };
  std::map<std::string, over_sizes> all;
  for (const auto& row : result.rows)
    for (const auto& one : row.rivals) {
      if (one.ratio.median <= 0) continue;
      auto& sum = all[one.name];
      sum.judged = one.judged;
      sum.logarithms += std::log(one.ratio.median);
      if (sum.sizes++ == 0 || one.ratio.median < sum.worst)
        sum.worst = one.ratio.median, sum.where = row.at.size.name();
    }
  json document = json::array();
  for (const auto& [name, sum] : all)
    document.push_back({{"name", name},
                        {"judged", sum.judged},
                        {"sizes", sum.sizes},
                        {"geometric_mean", std::exp(sum.logarithms / sum.sizes)},
                        {"worst", {{"size", sum.where}, {"ratio", sum.worst}}}});
  return document;
}

json summary_document(const size_sweep_result& result) {
  const auto all = summary_of(result);
  json losses = json::array();
  for (const auto* row : all.losses) losses.push_back(place_document(*row));
  json document = {{"sizes", result.rows.size()},
                   {"failures", all.failures.size()},
                   {"geometric_mean", all.geometric_mean},
                   {"losses", losses},
                   {"rivals", rivals_document(result)}};
  if (all.worst) document["worst"] = place_document(*all.worst);
  return document;
}

}  // namespace

json to_json(const size_sweep_result& result) {
  json rows = json::array();
  for (const auto& row : result.rows) rows.push_back(row_document(row));
  return {{"schema", 1},
          {"version", version()},
          {"lab", result.lab},
          {"variant", result.variant},
          {"launcher", result.launcher},
          {"backend", word(result.backend)},
          {"date", result.date},
          {"device", result.device},
          {"seed", result.seed},
          {"most_bytes", result.most_bytes},
          {"summary", summary_document(result)},
          {"results", rows}};
}

}  // namespace lab::judge
