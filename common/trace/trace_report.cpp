#include "trace/trace_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lab::judge {

namespace {

using nlohmann::json;

constexpr int deepest = 16;
constexpr std::size_t most_hazards = 100;

hazard read_hazard(const json& document) {
  return {.kind = document.at("kind"),
          .severity = document.at("severity"),
          .kernel = document.at("kernel"),
          .file = document.at("file"),
          .space = document.at("space"),
          .message = document.at("message"),
          .line = document.at("line"),
          .other_line = document.at("other_line"),
          .other_file = document.value("other_file", ""),
          .block = document.at("block"),
          .thread = document.at("thread"),
          .count = document.value("count", std::uint64_t{1})};
}

line_traffic read_access(const json& document) {
  return {.file = document.at("file"),
          .line = document.at("line"),
          .op = document.at("op"),
          .space = document.at("space"),
          .requests = document.at("requests"),
          .sectors = document.at("sectors"),
          .sectors_ideal = document.at("sectors_ideal"),
          .wavefronts = document.at("wavefronts"),
          .wavefronts_ideal = document.at("wavefronts_ideal"),
          .bank_conflicts = document.value("bank_conflicts", std::uint64_t{0}),
          .most_sectors_per_request = document.value("most_sectors_per_request", 0.0),
          .merged_wavefronts = document.value("merged_wavefronts", std::uint64_t{0}),
          .merged_requests = document.value("merged_requests", std::uint64_t{0}),
          .lanes = document.value("lanes", std::uint64_t{0}),
          .cache_lines = document.value("cache_lines", std::uint64_t{0}),
          .sample = document.contains("sample") ? document["sample"].dump() : ""};
}

place_in_source read_place(const json& document) {
  return {.file = document.at("file"),
          .line = document.at("line"),
          .op = document.at("op"),
          .space = document.at("space"),
          .repeated = document.at("repeated")};
}

void read_demands(launch& one, const json& document) {
  one.blocks_run = document.value("blocks_run", std::uint64_t{0});
  one.box_bytes = document.value("box_bytes", std::uint64_t{0});
  one.matrix_products = document.value("matrix_products", std::uint64_t{0});
  one.grid_barriers = document.at("barriers").value("grid", std::uint64_t{0});
  const auto& occupancy = document.at("occupancy");
  one.shared_bytes = occupancy.value("static_shared_bytes", std::uint64_t{0}) +
                     occupancy.value("dynamic_shared_bytes", std::uint64_t{0});
  if (document.contains("busiest_atomic")) {
    one.busiest_atomics = document["busiest_atomic"].at("atomics");
    one.busiest_slice_atomics = document["busiest_atomic"].value("slice_atomics", std::uint64_t{0});
  }
  for (const auto& a : document.at("atomics"))
    one.atomics.push_back(
        {a.at("space"), a.value("requests", std::uint64_t{0}), a.at("lanes"), a.value("addresses", std::uint64_t{0})});
  for (const auto& m : document.value("memory", json::array()))
    one.memory.push_back({m.at("allocation"), m.at("bytes"), m.at("loaded_sectors"), m.at("stored_sectors"),
                          m.at("sectors_loaded_by_each_block")});
}

launch read_launch(const json& document) {
  launch one{document.at("kernel"), document.at("grid"), document.at("block"), document.at("metrics")};
  for (const auto& a : document.at("lines")) {
    one.lines.push_back(read_access(a));
    one.requests += one.lines.back().requests;
    one.lanes += a.value("lanes", std::uint64_t{0});
  }
  one.block_barriers = document.at("barriers").at("block");
  one.occupancy = document.at("occupancy").at("theoretical");
  one.waves = document.at("occupancy").value("waves", 0.0);
  one.device = document.at("occupancy").value("device", "");
  one.concurrent = document.value("concurrent_launches", std::uint64_t{1});
  for (const auto& a : document.at("atomics"))
    (a.at("space") == "shared" ? one.shared_atomics : one.global_atomics) += a.at("lanes").get<std::uint64_t>();
  read_demands(one, document);
  for (const auto& place : document.at("executed")) one.executed.push_back(read_place(place));
  return one;
}

json to_json(const line_traffic& access) {
  return {{"file", access.file},
          {"line", access.line},
          {"op", access.op},
          {"space", access.space},
          {"requests", access.requests},
          {"sectors", access.sectors},
          {"sectors_ideal", access.sectors_ideal},
          {"wavefronts", access.wavefronts},
          {"wavefronts_ideal", access.wavefronts_ideal},
          {"bank_conflicts", access.bank_conflicts},
          {"sample", access.sample.empty() ? json{} : json::parse(access.sample)}};
}

}  // namespace

void add_to(std::vector<line_traffic>& lines, const line_traffic& access) {
  const auto same = [&](const line_traffic& b) {
    return access.file == b.file && access.line == b.line && b.is(access.op, access.space);
  };
  const auto at = std::ranges::find_if(lines, same);
  if (at == lines.end()) return lines.push_back(access);
  at->requests += access.requests;
  at->sectors += access.sectors;
  at->sectors_ideal += access.sectors_ideal;
  at->wavefronts += access.wavefronts;
  at->wavefronts_ideal += access.wavefronts_ideal;
  at->bank_conflicts += access.bank_conflicts;
}

trace_report parse_report(const std::string& text) {
  // What lies deeper than any report is not kept, nor more hazards than anybody reads: a program may have made it up.
  const auto document = json::parse(text, [](int depth, json::parse_event_t, const json&) { return depth <= deepest; });
  trace_report r;
  for (const auto& l : document.at("launches")) r.launches.push_back(read_launch(l));
  for (const auto& h : document.at("hazards"))
    if (r.hazards.size() < most_hazards) r.hazards.push_back(read_hazard(h));
  if (const auto copies = document.find("copies"); copies != document.end())
    r.copies = {copies->at("to_host"), copies->at("written"), copies->at("host_memory")};
  r.kept = document.value("kept", std::size_t{0});
  return r;
}

json to_json(const hazard& found) {
  return {{"kind", found.kind},
          {"severity", found.severity},
          {"kernel", found.kernel},
          {"file", found.file},
          {"line", found.line},
          {"other_file", found.other_file},
          {"other_line", found.other_line},
          {"block", found.block},
          {"thread", found.thread},
          {"space", found.space},
          {"message", found.message},
          {"count", found.count}};
}

json to_json(const launch& launched) {
  json lines = json::array();
  for (const auto& a : launched.lines) lines.push_back(to_json(a));
  return {{"kernel", launched.kernel},
          {"grid", launched.grid},
          {"block", launched.block},
          {"metrics", launched.metrics},
          {"lines", lines}};
}

}  // namespace lab::judge
