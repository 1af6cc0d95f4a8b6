#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/bench.hpp"
#include "text/utf8_json.hpp"

namespace lab::judge {

namespace {

using nlohmann::json;

json finite(double value) { return std::isfinite(value) ? value : 0.0; }

json to_json(const samples& s) {
  return {{"median", finite(s.median)}, {"min", finite(s.min)}, {"p95", finite(s.p95)}, {"samples", s.count}};
}

json to_json(const bench_row& r) {
  json row = {{"lab", r.lab},   {"variant", r.variant},       {"launcher", r.launcher},
              {"size", r.size}, {"verdict", word(r.verdict)}, {"message", as_utf8(r.message)}};
  if (r.verdict != verdict_kind::pass) return row;
  json peers = json::array();
  for (const auto& p : r.peers)
    peers.push_back({{"name", p.name},
                     {"ms", finite(p.ms)},
                     {"ratio", finite(p.ratio.median)},
                     {"ratio_low", finite(p.ratio.min)},
                     {"ratio_high", finite(p.ratio.p95)}});
  row.update({{"kernel_ms", to_json(r.cold)},
              {"warm_ms", to_json(r.warm)},
              {"with_copies_ms", to_json(r.with_copies)},
              {"gbytes_per_s", finite(r.gbytes_per_s)},
              {"gflops", finite(r.gflops)},
              {"of_ceiling", finite(r.of_ceiling)},
              {"cpu_one_thread_ms", finite(r.cpu_one_thread_ms)},
              {"cpu_all_threads_ms", finite(r.cpu_all_threads_ms)},
              {"cpu_fast_ms", finite(r.cpu_fast_ms)},
              {"peers", peers}});
  if (r.against_itself.count > 0)
    row["against_itself"] = {
        {"ratio", r.against_itself.median}, {"ratio_low", r.against_itself.min}, {"ratio_high", r.against_itself.p95}};
  if (!r.operations.empty()) row.update({{"kernel_only_ms", to_json(r.kernel_only)}, {"operations", r.operations}});
  if (r.gpu.multiprocessor_mhz > 0)
    row.update({{"head_start", r.head_start},
                {"gpu",
                 {{"multiprocessor_mhz", r.gpu.multiprocessor_mhz},
                  {"memory_mhz", r.gpu.memory_mhz},
                  {"watts", r.gpu.watts}}}});
  return row;
}

}  // namespace

json to_json(const bench_result& r) {
  json rows = json::array();
  for (const auto& row : r.rows) rows.push_back(to_json(row));
  return {{"schema", 1}, {"date", r.date}, {"backend", r.backend}, {"device", r.device}, {"results", rows}};
}

}  // namespace lab::judge
