#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/bench.hpp"
#include "support/installation.hpp"
#include "text/utf8_json.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json finite(double value) { return std::isfinite(value) ? value : 0.0; }

// A rival has times, counts or both.
json peers_of(const bench_row& row) {
  json peers = json::array();
  for (const auto& peer : row.peers)
    peers.push_back({{"name", peer.name},
                     {"ms", finite(peer.ms)},
                     {"ratio", finite(peer.ratio.median)},
                     {"ratio_low", finite(peer.ratio.min)},
                     {"ratio_high", finite(peer.ratio.p95)}});
  if (row.gpu.multiprocessor_mhz > 0)
    for (std::size_t i = 0; i < row.peers.size(); ++i)
      peers[i]["head_start"] = head_start_word(row.peers[i].head_start);
  for (std::size_t i = 1; i < row.counted.size(); ++i) {
    const auto& name = row.counted[i].name;
    auto at = std::ranges::find_if(peers, [&](const json& peer) { return peer["name"] == name; });
    auto& peer = at == peers.end() ? peers.emplace_back(json{{"name", name}}) : *at;
    peer["counts"] = to_json(row.counted[i]);
  }
  return peers;
}

void add_times(json& document, const bench_row& row) {
  document.update({{"kernel_ms", to_json(row.cold)},
                   {"warm_ms", to_json(row.warm)},
                   {"with_copies_ms", to_json(row.with_copies)},
                   {"gbytes_per_s", finite(row.gbytes_per_s)},
                   {"gflops", finite(row.gflops)},
                   {"of_ceiling", finite(row.of_ceiling)},
                   {"cpu_one_thread_ms", finite(row.cpu_one_thread_ms)},
                   {"cpu_all_threads_ms", finite(row.cpu_all_threads_ms)},
                   {"cpu_fast_ms", finite(row.cpu_fast_ms)}});
  if (row.against_itself.count > 0)
    document["against_itself"] = {{"ratio", row.against_itself.median},
                                  {"ratio_low", row.against_itself.min},
                                  {"ratio_high", row.against_itself.p95}};
  if (!row.operations.empty())
    document.update({{"kernel_only_ms", to_json(row.kernel_only)}, {"operations", row.operations}});
  if (row.gpu.multiprocessor_mhz > 0)
    document.update({{"head_start", head_start_word(row.head_start)},
                     {"gpu",
                      {{"multiprocessor_mhz", row.gpu.multiprocessor_mhz},
                       {"memory_mhz", row.gpu.memory_mhz},
                       {"watts", row.gpu.watts}}}});
}

json to_json(const bench_row& row) {
  json document = {{"lab", row.lab},   {"variant", row.variant},       {"launcher", row.launcher},
                   {"size", row.size}, {"verdict", word(row.verdict)}, {"message", as_utf8(row.message)}};
  if (row.verdict != verdict_kind::pass) return document;
  document["peers"] = peers_of(row);
  if (!row.counted.empty()) document.update({{"counts", to_json(row.counted[0])}, {"step_before", row.step_before}});
  if (row.cold.count > 0) add_times(document, row);
  return document;
}

}  // namespace

json to_json(const samples& times) {
  return {{"median", finite(times.median)},
          {"min", finite(times.min)},
          {"p95", finite(times.p95)},
          {"samples", times.count}};
}

json to_json(const bench_result& result) {
  json rows = json::array();
  for (const auto& row : result.rows) rows.push_back(to_json(row));
  return {{"schema", 2},
          {"version", lab::version()},
          {"date", result.date},
          {"backend", result.backend},
          {"device", result.device},
          {"results", rows}};
}

}  // namespace lab::judge
