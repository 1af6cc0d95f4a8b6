#include "model/call_counts.hpp"

#include <nlohmann/json.hpp>

namespace lab::judge {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(line_traffic, file, line, op, space, requests, sectors, sectors_ideal, wavefronts,
                                   wavefronts_ideal, bank_conflicts, merged_wavefronts, merged_requests, lanes,
                                   cache_lines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(memory_footprint, allocation, bytes, loaded_sectors, stored_sectors,
                                   sectors_loaded_by_each_block)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(atomic_traffic, space, requests, lanes, addresses)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(launch, kernel, grid, block, lines, block_barriers, concurrent, lanes, requests,
                                   blocks_run, shared_bytes, busiest_atomics, busiest_slice_atomics, grid_barriers,
                                   atomics, memory, box_bytes, matrix_products)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(kernel_profile, kernel, threads, instructions, unconditional, fp32, global_loads,
                                   rounds, hidden_rounds, load_groups, chain, shared_exposures, barriers, serial, loads,
                                   registers)

namespace {

using nlohmann::json;

// Not to_json(launch), which other commands print.
json document_of(const launch& one) {
  json document;
  to_json(document, one);
  return document;
}

}  // namespace

std::string text_of(const call_counts& counts) {
  auto launches = json::array();
  for (const auto& one : counts.trace.launches) launches.push_back(document_of(one));
  return json{{"launches", std::move(launches)}, {"profiles", counts.profiles}}.dump();
}

std::optional<call_counts> counts_in(const std::string& text) {
  try {
    const auto document = json::parse(text);
    call_counts counts;
    document.at("launches").get_to(counts.trace.launches);
    document.at("profiles").get_to(counts.profiles);
    return counts;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace lab::judge
