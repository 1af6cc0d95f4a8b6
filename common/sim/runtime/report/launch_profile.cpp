#include "sim/runtime/report/launch_profile.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/symbols/source_lines.hpp"

namespace lab::sim::trace {

namespace {

using json = nlohmann::ordered_json;

double share(double part, double whole) { return whole == 0 ? 0 : std::round(part / whole * 10000) / 10000; }

// Counts instructions that access memory only: the tracer does not see others.
double execution_efficiency(const launch_record& record) {
  std::uint64_t requests = 0, lanes = 0;
  for (const auto& s : record.sites) requests += s.requests, lanes += s.lanes;
  return share(static_cast<double>(lanes), 32. * static_cast<double>(requests));
}

json atomics_of(const launch_record& record) {
  std::map<std::tuple<std::string, int, space>, site> lines;
  for (const auto& s : record.sites) {
    if (s.op != operation::atomic) continue;
    const auto at = line_of(s.pc);
    site& line = lines[{at.file, at.line, s.where}];
    line.requests += s.requests;
    line.lanes += s.lanes;
    line.addresses += s.addresses;
    line.crowd = std::max(line.crowd, s.crowd);
  }
  json all = json::array();
  for (const auto& [key, s] : lines)
    all.push_back({{"file", std::get<0>(key)},
                   {"line", std::get<1>(key)},
                   {"space", std::get<2>(key) == space::shared ? "shared" : "global"},
                   {"requests", s.requests},
                   {"lanes", s.lanes},
                   {"addresses", s.addresses},
                   {"most_lanes_at_one_address", s.crowd}});
  return all;
}

json occupancy_json(const launch_record& record) {
  const auto& d = device();
  const auto threads = static_cast<int>(record.block.x * record.block.y * record.block.z);
  const auto o = occupancy_of(d, threads, record.static_shared + record.dynamic_shared);
  const int warps = o.blocks * ((threads + 31) / 32);
  const double blocks = static_cast<double>(record.grid.x) * record.grid.y * record.grid.z;
  const bool small = blocks < static_cast<double>(o.blocks) * d.multiprocessors;
  return {{"device", d.name},
          {"blocks_per_multiprocessor", o.blocks},
          {"warps_per_multiprocessor", warps},
          {"theoretical", share(warps, d.warps)},
          {"limiter", small ? "grid" : o.limiter},
          {"limit_warps", o.by_warps},
          {"limit_blocks", o.by_blocks},
          {"limit_shared_memory", std::min(o.by_shared, 1 << 20)},
          {"limit_registers", nullptr},
          {"registers_per_thread_at_most", warps == 0 ? 0 : 65536 / (warps * 32) / 8 * 8},
          {"static_shared_bytes", record.static_shared},
          {"dynamic_shared_bytes", record.dynamic_shared},
          {"waves", share(blocks, static_cast<double>(o.blocks) * d.multiprocessors)}};
}

}  // namespace

void add_profile(json& launch, const launch_record& record) {
  launch["warp_execution_efficiency"] = execution_efficiency(record);
  launch["barriers"] = {
      {"block", record.block_barriers}, {"warp", record.warp_barriers}, {"grid", record.grid_barriers}};
  launch["atomics"] = atomics_of(record);
  if (record.busiest_atomics > 0)
    launch["busiest_atomic"] = {{"where", record.busiest},
                                {"atomics", record.busiest_atomics},
                                {"slice_atomics", record.busiest_slice_atomics}};
  launch["occupancy"] = occupancy_json(record);
  launch["concurrent_launches"] = record.concurrent;
  launch["blocks_run"] = record.blocks_run;
  launch["box_bytes"] = record.box_bytes;
  launch["matrix_products"] = record.matrix_products;
  for (const auto& m : record.memory)
    launch["memory"].push_back({{"allocation", m.allocation},
                                {"bytes", m.bytes},
                                {"loaded_sectors", m.loaded},
                                {"stored_sectors", m.stored},
                                {"sectors_loaded_by_each_block", m.loaded_by_each_block}});
}

}  // namespace lab::sim::trace
